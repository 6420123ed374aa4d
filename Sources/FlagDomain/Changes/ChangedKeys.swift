/// The keys whose values may have changed, by name.
///
/// They are names, not keys: a document may name many flags that no code declares, and keys are never freed.
public enum ChangedKeys: Hashable, Sendable {
  /// The keys with these names, and no others.
  case some(Set<String>)
  /// Any key may have changed.
  case all

  /// Creates a change of some keys.
  public init(_ keys: some Sequence<FlagKey>) { self = .some(Set(keys.lazy.map(\.name))) }

  /// Returns whether a key may have changed.
  public func contains(_ key: FlagKey) -> Bool {
    switch self {
    case .some(let keys): keys.contains(key.name)
    case .all: true
    }
  }

  /// Returns the members of a table by flags' names whose flags may have changed.
  ///
  /// It takes as long as the fewer of the names and the members.
  package func members<Member>(of table: [String: Member]) -> [Member] {
    guard case .some(let names) = self else { return Array(table.values) }
    guard names.count < table.count else { return table.compactMap { names.contains($0.key) ? $0.value : nil } }
    return names.compactMap { table[$0] }
  }

  /// The maximum number of names in a union; a larger one becomes ``all``.
  public static let maximumCount = 100_000

  /// Returns the union of both, or ``all`` if that would have more than ``maximumCount`` names.
  public func union(_ other: ChangedKeys) -> ChangedKeys {
    guard case .some(let keys) = self, case .some(let others) = other else { return .all }
    return keys.count + others.count > Self.maximumCount ? .all : .some(keys.union(others))
  }
}
