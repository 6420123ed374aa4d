import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagMocks
import FlagProviders
import FlagServer

/// A mock of a vendor's service, served with the values of the flags to show the effects of an outage.
enum MockVendor: String, CaseIterable {
  case launchdarkly, firebase

  /// Returns the routes of the vendor, under `/mocks`, which respond with the values of the documents.
  func routes(of store: any DefinitionStore, at seconds: @escaping @Sendable () -> Int64) -> [Router.Route] {
    let routes =
      switch self {
      case .launchdarkly: MockLaunchDarkly { Self.values(of: store, for: $0, at: seconds()) }.routes
      case .firebase:
        MockFirebaseRemoteConfig(minimumFetchInterval: .zero) { user in
          Self.values(of: store, for: user, at: seconds()).mapValues { value in
            if case .string(let text) = value { text } else { value.printed }
          }
        }.routes
      }
    return routes.compactMap { route in
      HTTPMethod(route.method).map { method in
        Router.Route(method, RoutePattern("/mocks\(route.path)"), .waiting { try await Self.reply(route, $0) })
      }
    }
  }

  private static func reply(_ route: MockRoute, _ request: ServerRequest) async throws -> ServerReply {
    let query = Dictionary(request.target.query.map { ($0.name, $0.value) }) { first, _ in first }
    let answer = await route.answer(query)
    let status = HTTPStatus(answer.status) ?? .internalServerError
    return .response(
      HTTPResponse(
        status, fields: answer.json.isEmpty ? [:] : [.contentType: "application/json"], body: answer.json))
  }

  /// Evaluates all flags for a user, except those without a value, or with a key that is invalid in this package.
  private static func values(
    of store: any DefinitionStore, for user: FlagUser?, at seconds: Int64
  ) -> [FlagKey: FlagValue] {
    guard let document = store.current?.document else { return [:] }
    var values: [FlagKey: FlagValue] = [:]
    for key in document.keys {
      guard let flag = FlagKey(validating: key) else { continue }
      do throws(FlagError) {
        values[flag] = try document.evaluate(key, in: EvaluationContext(user: user), at: seconds)?.value
      } catch {
        // A failing flag is not sent to a vendor's client either.
        continue
      }
    }
    return values
  }
}
