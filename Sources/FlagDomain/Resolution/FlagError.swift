/// The reason why a flag could not be resolved: a code, a message, and the place of the error.
public struct FlagError: Error, Hashable, Sendable {
  /// The kind of failure.
  public var code: Code
  /// The message, with the expected and the found value, and the place.
  public var message: String
  /// The key of the flag; nil for an error of a provider as a whole.
  public var key: FlagKey?
  /// The name of the provider that failed, if one did.
  public var provider: String?
  /// Whether resolving the flag may succeed later although nothing changed, as with rules about time.
  public var isTransient: Bool
  /// The metadata of the flag's definition, if there is one.
  public var metadata: [String: FlagValue]

  /// Creates an error.
  public init(
    _ code: Code, _ message: String, key: FlagKey? = nil, provider: String? = nil, isTransient: Bool = false,
    metadata: [String: FlagValue] = [:]
  ) {
    self.code = code
    self.isTransient = isTransient
    self.metadata = metadata
    self.message = message
    self.key = key
    self.provider = provider
  }

  /// The kind of a failure: the error codes of the OpenFeature specification, and room for others.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code's name on the wire, in capitals.
    public let rawValue: String

    /// Creates a code from its name on the wire; any name is accepted, because the set is open.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The code's name on the wire.
    public var description: String { rawValue }

    /// The provider has no answers yet.
    public static let providerNotReady = Self(rawValue: "PROVIDER_NOT_READY")
    /// The provider does not know the flag.
    public static let flagNotFound = Self(rawValue: "FLAG_NOT_FOUND")
    /// The flag's definition or answer cannot be read.
    public static let parseError = Self(rawValue: "PARSE_ERROR")
    /// The provider's value is not of the flag's type.
    public static let typeMismatch = Self(rawValue: "TYPE_MISMATCH")
    /// The provider needs a targeting key, and the context has none.
    public static let targetingKeyMissing = Self(rawValue: "TARGETING_KEY_MISSING")
    /// The evaluation context does not meet the provider's requirements.
    public static let invalidContext = Self(rawValue: "INVALID_CONTEXT")
    /// The provider has answers for the current user alone, and was asked about another one.
    public static let userMismatch = Self(rawValue: "USER_MISMATCH")
    /// The service refuses the credentials: status 401 or 403.
    public static let unauthorized = Self(rawValue: "UNAUTHORIZED")
    /// The service has nothing at the address: status 404 or 410.
    public static let notFound = Self(rawValue: "NOT_FOUND")
    /// The service did not answer in time.
    public static let timeout = Self(rawValue: "TIMEOUT")
    /// There is no connection to the service, or it was lost.
    public static let unreachable = Self(rawValue: "UNREACHABLE")
    /// The end of an outage: the provider has answered again.
    ///
    /// It is reported after a provider's other errors, and is in no resolution.
    public static let providerReady = Self(rawValue: "PROVIDER_READY")
    /// The provider failed for good.
    public static let providerFatal = Self(rawValue: "PROVIDER_FATAL")
    /// Anything else.
    public static let general = Self(rawValue: "GENERAL")
  }
}

extension FlagError: CustomStringConvertible {
  /// The error in one line: code, flag, provider and message.
  public var description: String {
    let place = [key.map { "flag \($0)" }, provider.map { "provider \($0)" }].compactMap { $0 }
    return "\(code)\(place.isEmpty ? "" : " (" + place.joined(separator: ", ") + ")"): \(message)"
  }
}
