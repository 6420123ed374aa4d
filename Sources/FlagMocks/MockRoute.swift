import FlagDomain
import FlagJSON
import FlagProviders

/// A request to a mock service over HTTP, by which an outage of a vendor can be demonstrated from outside.
///
/// Any server can serve it: it passes the parameters of the query, and sends the status and the JSON back.
public struct MockRoute: Sendable {
  /// The method, as "GET".
  public let method: String
  /// The path, as "/launchdarkly/flags".
  public let path: String
  /// A closure that answers a request from the names and values of its query.
  public let answer: @Sendable ([String: String]) async -> Answer

  /// An HTTP status, and content in JSON, which may be empty.
  public struct Answer: Hashable, Sendable {
    /// The status.
    public let status: Int
    /// The content.
    public let json: [UInt8]
  }
}

extension MockLaunchDarkly {
  /// The service's requests over HTTP: `GET flags?key=ID&countryCode=CODE`, and `PUT` and `DELETE outage`, which make
  /// its network fail and work again.
  public var routes: [MockRoute] { MockRoute.routes(of: self, "/launchdarkly", network) }
}

extension MockFirebaseRemoteConfig {
  /// The service's requests over HTTP, as LaunchDarkly's; all values are strings.
  public var routes: [MockRoute] { MockRoute.routes(of: self, "/firebase", network) }
}

extension MockRoute {
  fileprivate static func routes(
    of service: some RemoteFlagService, _ path: String, _ network: MockNetwork
  ) -> [MockRoute] {
    [
      MockRoute(method: "GET", path: "\(path)/flags") { query in
        let user = query["key"].map { FlagUser(id: $0, countryCode: query["countryCode"]) }
        do throws(FlagError) {
          return Answer(status: 200, json: try await Self.value(of: service.fetch(for: user)).json())
        } catch {
          return Answer(status: 503, json: Array(#"{"error":"the service cannot be reached"}"#.utf8))
        }
      },
      MockRoute(method: "PUT", path: "\(path)/outage") { _ in
        network.failure = .outage
        return Answer(status: 204, json: [])
      },
      MockRoute(method: "DELETE", path: "\(path)/outage") { _ in
        network.failure = nil
        return Answer(status: 204, json: [])
      },
    ]
  }

  private static func value(of answers: RemoteAnswers) -> FlagValue {
    let listed = answers.listed ?? [:]
    return .object(
      Dictionary(
        uniqueKeysWithValues: listed.map { key, answer in
          (key, .object(["value": answer.value ?? .null, "reason": .string(answer.reason.rawValue)]))
        }))
  }
}
