/// An error for flags that share a key, so that a value for one would also be read by the other.
public struct DuplicateFlagKeys: Error, Equatable, Sendable {
  /// A key, and the paths of all flags that have it.
  package struct Duplicate: Equatable, Sendable {
    /// The shared key.
    package let key: FlagKey
    /// The paths of the flags: the names of their groups and, last, their display names.
    package let paths: [String]
  }

  /// Every shared key, in the order of the first flag that has it, without those of repeated catalogs.
  package let duplicates: [Duplicate]
  /// The names of the catalogs that are there more than once.
  package let repeatedCatalogs: [String]

  init(duplicates: [Duplicate], repeatedCatalogs: [String] = []) {
    (self.duplicates, self.repeatedCatalogs) = (duplicates, repeatedCatalogs)
  }

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
    let (once, repeated) = withoutRepetitions(catalogs)
    for entry in once.flatMap(\.entries) {
      guard let key = key(entry.flag) else { continue }
      if paths[key] == nil { keys.append(key) }
      let path = entry.groups + [entry.flag.metadata.displayName ?? "\(entry.flag.key)"]
      paths[key, default: []].append(path.joined(separator: " > "))
    }
    let duplicates = keys.compactMap { key in
      paths[key].flatMap { $0.count > 1 ? Duplicate(key: key, paths: $0) : nil }
    }
    guard duplicates.isEmpty, repeated.isEmpty else {
      throw DuplicateFlagKeys(duplicates: duplicates, repeatedCatalogs: repeated)
    }
  }

  /// Returns each catalog once, and the names of those that occur again with the same flags.
  private static func withoutRepetitions(_ catalogs: [FlagCatalog]) -> (once: [FlagCatalog], repeated: [String]) {
    var known: [String: [[FlagKey]]] = [:]
    var (once, repeated): ([FlagCatalog], [String]) = ([], [])
    for catalog in catalogs {
      let keys = catalog.flags.map(\.key)
      if keys.isEmpty || known[catalog.name]?.contains(keys) != true {
        known[catalog.name, default: []].append(keys)
        once.append(catalog)
      } else if !repeated.contains(catalog.name) {
        repeated.append(catalog.name)
      }
    }
    return (once, repeated)
  }
}

extension DuplicateFlagKeys: CustomStringConvertible {
  /// The repeated catalogs, and the shared keys, each with the flags that share it.
  public var description: String {
    let repeated = repeatedCatalogs.map { "the catalog \($0) is there more than once" }
    let shared = duplicates.map { duplicate in
      "\(duplicate.paths.count) flags share the key \(duplicate.key): \(duplicate.paths.joined(separator: ", "))"
    }
    return (repeated + shared).joined(separator: "; ")
  }
}
