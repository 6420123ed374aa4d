public import FlagDomain

/// The definitions of a store at one moment, their origin, and why they may be out of date.
public struct DefinitionStanding: Sendable {
  /// The origin of definitions.
  public enum Origin: Hashable, Sendable {
    /// The store, as the newest.
    case store
    /// An earlier run of the program, which kept them.
    case kept
    /// The app, which brought them along.
    case bundled
  }

  /// The definitions that were good last; nil until there were any.
  public var definitions: StoredDefinitions?
  /// Their origin.
  public var origin: Origin
  /// When the store gave or confirmed them, in seconds since 1970-01-01 UTC; nil if it does not say.
  public var fetchedAt: Int64?
  /// The reason why they may be out of date, or are missing.
  public var failure: FlagError?
  /// Whether the store has been read, with success or not.
  public var isSettled: Bool
  /// Other errors, such as that of kept definitions which cannot be used.
  public var findings: [FlagError]

  /// Creates a standing.
  ///
  /// - Parameters:
  ///   - definitions: The definitions that were good last; nil until there were any.
  ///   - isSettled: Whether the store has been read, with success or not.
  public init(_ definitions: StoredDefinitions?, isSettled: Bool) {
    self.definitions = definitions
    self.isSettled = isSettled
    origin = .store
    findings = []
  }
}

extension DefinitionStanding {
  /// Creates the standing of a store that has been read, with a failure if that was the end of it.
  package init(_ definitions: StoredDefinitions?, failure: DefinitionStoreError?) {
    self.init(definitions, isSettled: definitions != nil || failure != nil)
    self.failure = failure.map { FlagError($0) }
  }
}

extension FlagError {
  /// Creates the error of a store that cannot be read or served now.
  package init(_ error: DefinitionStoreError) {
    let problem = error.diagnostics.prefix(3).map(\.description).joined(separator: "; ")
    self.init(
      error.code == .invalid ? .parseError : .general,
      "\(error.store): \(error.message)\(problem.isEmpty ? "" : ": \(problem)")", isTransient: true)
  }
}
