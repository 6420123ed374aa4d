public import FlagDomain

/// The definitions of a store at one moment, their origin, and the reason why they may be stale.
public struct DefinitionStatus: Sendable {
  /// The origin of definitions.
  public enum Origin: Hashable, Sendable {
    /// The store: the definitions are the newest.
    case store
    /// An earlier run of the program, which stored them.
    case cached
    /// The app, which bundles them.
    case bundled
  }

  /// The last good definitions; nil until there are any.
  public var definitions: StoredDefinitions?
  /// Their origin.
  public var origin: Origin
  /// The time when the store returned or confirmed them, in seconds since 1970-01-01 UTC; nil if it is unknown.
  public var fetchedAt: Int64?
  /// The time when the store last answered at all, in seconds since 1970-01-01 UTC; nil if it is unknown.
  public var contactedAt: Int64?
  /// Whether the store can be reached now.
  public var isConnected = true
  /// The reason why they may be stale, or are missing.
  public var failure: FlagError?
  /// Whether the store has been read, successfully or not.
  public var isSettled: Bool
  /// Other errors, such as that of stored definitions which cannot be used.
  public var findings: [FlagError]

  /// The way in which the store learns of changes; nil for one that asks no service, or has no answer of it yet.
  public var updates: ProviderStatus.Updates?

  /// Creates a status.
  ///
  /// - Parameters:
  ///   - definitions: The last good definitions; nil until there are any.
  ///   - isSettled: Whether the store has been read, successfully or not.
  public init(_ definitions: StoredDefinitions?, isSettled: Bool) {
    self.definitions = definitions
    self.isSettled = isSettled
    origin = .store
    findings = []
  }

  /// Creates the status of a store from its definitions and its failure; it is settled if it has either of them.
  package init(_ definitions: StoredDefinitions?, failure: DefinitionStoreError?) {
    self.init(definitions, isSettled: definitions != nil || failure != nil)
    self.failure = failure.map { FlagError($0) }
    isConnected = failure == nil
  }

  /// Whether the definitions may be out of date: an earlier run stored them, or the store has failed since.
  package var isStale: Bool { failure != nil || origin != .store }
}

extension FlagError {
  /// Creates the error of a store that cannot be read, or whose document cannot be served now.
  package init(_ error: DefinitionStoreError) {
    let problem = error.diagnostics.prefix(3).map(\.description).joined(separator: "; ")
    self.init(
      error.code == .invalid ? .parseError : error.cause ?? .general,
      "\(error.store): \(error.message)\(problem.isEmpty ? "" : ": \(problem)")", isTransient: true)
  }
}
