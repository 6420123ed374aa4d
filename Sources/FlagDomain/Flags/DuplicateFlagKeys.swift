/// An error for flags that share a key, so that a value for one would also be read by the other.
public struct DuplicateFlagKeys: Error, Equatable, Sendable {
  /// A key, and the paths of all flags that have it.
  public struct Duplicate: Equatable, Sendable {
    /// The shared key.
    public let key: FlagKey
    /// The paths of the flags: the names of their groups and, last, their display names.
    public let paths: [String]
  }

  /// Every shared key, in the order of the first flag that has it.
  public let duplicates: [Duplicate]

  /// Throws if flags of the catalogs share a key.
  public static func check(_ catalogs: [FlagCatalog]) throws(DuplicateFlagKeys) {
    try check(catalogs) { $0.key }
  }

  /// Throws if flags of the catalogs share a key according to a closure, which returns nil for flags to skip.
  package static func check(
    _ catalogs: [FlagCatalog], by key: (any FeatureFlag) -> FlagKey?
  ) throws(DuplicateFlagKeys) {
    var paths: [FlagKey: [String]] = [:]
    var keys: [FlagKey] = []
    for entry in catalogs.flatMap(\.entries) {
      guard let key = key(entry.flag) else { continue }
      if paths[key] == nil { keys.append(key) }
      let path = entry.groups + [entry.flag.metadata.displayName ?? "\(entry.flag.key)"]
      paths[key, default: []].append(path.joined(separator: " > "))
    }
    let duplicates = keys.compactMap { key in
      paths[key].flatMap { $0.count > 1 ? Duplicate(key: key, paths: $0) : nil }
    }
    guard duplicates.isEmpty else { throw DuplicateFlagKeys(duplicates: duplicates) }
  }
}

extension DuplicateFlagKeys: CustomStringConvertible {
  /// The shared keys, each with the flags that share it.
  public var description: String {
    duplicates
      .map { "\($0.paths.count) flags share the key \($0.key): \($0.paths.joined(separator: ", "))" }
      .joined(separator: "; ")
  }
}
