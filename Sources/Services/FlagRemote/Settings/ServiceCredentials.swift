import FlagDomain

/// The credentials for a service: header fields that no description, error or log shows.
public struct ServiceCredentials: Sendable {
  /// Returns the current fields; the parameter is true if the service has just refused the ones before, by a 401.
  typealias Renewal = @Sendable (_ isRefused: Bool) async throws -> [String: String]

  /// The fields that stay the same.
  let fields: [(name: String, value: String)]
  /// The tenant, if fields are renewed: like other credentials, it separates cached answers.
  let tenant: String
  let renewal: Renewal?

  private init(fields: [String: String], tenant: String = "", renewal: Renewal? = nil) {
    self.fields = fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    self.tenant = tenant
    self.renewal = renewal
  }

  /// Creates credentials from header fields, which are sent unchanged.
  public static func headers(_ fields: [String: String]) -> ServiceCredentials { ServiceCredentials(fields: fields) }

  /// Creates credentials from a token that is sent in the field `Authorization`.
  public static func bearer(_ token: String) -> ServiceCredentials { headers(["Authorization": "Bearer \(token)"]) }

  /// Creates credentials from a key that is sent in the field `X-API-Key`.
  public static func apiKey(_ key: String) -> ServiceCredentials { headers(["X-API-Key": key]) }

  /// Creates credentials from a closure, for tokens that expire.
  ///
  /// ```swift
  /// options.credentials = .renewable { isRefused in
  ///   ["Authorization": "Bearer \(try await session.token(isNew: isRefused))"]
  /// }
  /// ```
  ///
  /// A new token changes no value, and cached answers stay valid for it: they are named by the address, the tenant and
  /// the user.
  ///
  /// - Parameters:
  ///   - tenant: The account to which the tokens belong, if the app has several; it is not sent.
  ///   - headers: Returns the header fields, on any thread. It is called for each request, and once more with `true`
  ///     after a 401, so keep the token. An error fails the request, which is sent again later.
  /// - Returns: Credentials whose values no description shows.
  public static func renewable(
    tenant: String = "", _ headers: @escaping @Sendable (_ isRefused: Bool) async throws -> [String: String]
  ) -> ServiceCredentials {
    ServiceCredentials(fields: [:], tenant: tenant, renewal: headers)
  }
}

extension ServiceCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The names of the fields.
  public var description: String {
    renewal == nil ? "credentials in \(fields.map(\.name).joined(separator: ", "))" : "renewable credentials"
  }
  /// The names of the fields.
  public var debugDescription: String { description }
  /// An empty mirror, which hides the values.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
