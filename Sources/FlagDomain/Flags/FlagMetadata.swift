/// What a flag says of itself: to people in browsers, and to the composition.
///
/// A string literal is a description alone. The value is one reference, cheap to copy.
public struct FlagMetadata: Sendable {
  private let storage: Storage

  /// Creates metadata.
  ///
  /// - Parameters:
  ///   - description: What the flag does, in a sentence.
  ///   - displayName: A name for people; nil makes one from the key or the property.
  ///   - requiresRestart: Whether an override counts only from the next start.
  ///   - isInternal: Whether browsers leave the flag out.
  ///   - isLocked: Whether browsers may not change the flag; code still may.
  ///   - order: Where browsers show the flag among its siblings, lowest first.
  ///   - owner: Who answers for the flag.
  ///   - expires: The day after which the flag should be gone from the code.
  ///   - excludedProviders: Names of providers that are not asked for this flag.
  ///   - path: The names that make the key, outermost group first; empty for a key that is used as it stands.
  public init(
    _ description: String = "",
    displayName: String? = nil,
    requiresRestart: Bool = false,
    isInternal: Bool = false,
    isLocked: Bool = false,
    order: Int = 0,
    owner: String? = nil,
    expires: CalendarDay? = nil,
    excludedProviders: Set<String> = [],
    path: [String] = []
  ) {
    storage = Storage(
      description: description, displayName: displayName, requiresRestart: requiresRestart, isInternal: isInternal,
      isLocked: isLocked, order: order, owner: owner, expires: expires, excludedProviders: excludedProviders, path: path
    )
  }
}

extension FlagMetadata {
  /// What the flag does, in a sentence.
  public var description: String { storage.description }
  /// A name for people, or nil.
  public var displayName: String? { storage.displayName }
  /// Whether an override counts only from the next start.
  public var requiresRestart: Bool { storage.requiresRestart }
  /// Whether browsers leave the flag out.
  public var isInternal: Bool { storage.isInternal }
  /// Whether browsers may not change the flag; code still may.
  public var isLocked: Bool { storage.isLocked }
  /// Where browsers show the flag among its siblings, lowest first.
  public var order: Int { storage.order }
  /// Who answers for the flag, or nil.
  public var owner: String? { storage.owner }
  /// The day after which the flag should be gone from the code, or nil.
  public var expires: CalendarDay? { storage.expires }
  /// Names of providers that are not asked for this flag.
  public var excludedProviders: Set<String> { storage.excludedProviders }
  /// The names that make the key, outermost group first; empty for a key that is used as it stands.
  public var path: [String] { storage.path }
}

extension FlagMetadata: ExpressibleByStringLiteral {
  /// Creates metadata that is a description alone.
  public init(stringLiteral description: String) { self.init(description) }
}

extension FlagMetadata {
  private final class Storage: Sendable {
    let description: String
    let displayName: String?
    let requiresRestart: Bool
    let isInternal: Bool
    let isLocked: Bool
    let order: Int
    let owner: String?
    let expires: CalendarDay?
    let excludedProviders: Set<String>
    let path: [String]

    init(
      description: String, displayName: String?, requiresRestart: Bool, isInternal: Bool, isLocked: Bool, order: Int,
      owner: String?, expires: CalendarDay?, excludedProviders: Set<String>, path: [String]
    ) {
      self.description = description
      self.displayName = displayName
      self.requiresRestart = requiresRestart
      self.isInternal = isInternal
      self.isLocked = isLocked
      self.order = order
      self.owner = owner
      self.expires = expires
      self.excludedProviders = excludedProviders
      self.path = path
    }
  }
}
