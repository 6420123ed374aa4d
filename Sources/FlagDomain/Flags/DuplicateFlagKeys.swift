/// Flags that share a key, which is an error: each could be read under the other's name.
public struct DuplicateFlagKeys: Error, Equatable, Sendable {
  /// A key, and the places of all flags that have it.
  public struct Duplicate: Equatable, Sendable {
    /// The shared key.
    public let key: FlagKey
    /// Where the flags stand: the names of their groups and, last, their display names.
    public let places: [String]
  }

  /// Every shared key, in the order of the first flag that has it.
  public let duplicates: [Duplicate]

  /// Throws where flags of the catalogs share a key.
  public static func check(_ catalogs: [FlagCatalog]) throws(DuplicateFlagKeys) {
    var places: [FlagKey: [String]] = [:]
    var keys: [FlagKey] = []
    for entry in catalogs.flatMap(\.entries) {
      let key = entry.flag.key
      if places[key] == nil { keys.append(key) }
      let place = entry.groups + [entry.flag.metadata.displayName ?? "\(key)"]
      places[key, default: []].append(place.joined(separator: " > "))
    }
    let duplicates = keys.compactMap { key in
      places[key].flatMap { $0.count > 1 ? Duplicate(key: key, places: $0) : nil }
    }
    guard duplicates.isEmpty else { throw DuplicateFlagKeys(duplicates: duplicates) }
  }
}

extension DuplicateFlagKeys: CustomStringConvertible {
  /// Names every shared key and the flags that share it.
  public var description: String {
    duplicates
      .map { "the key \($0.key) stands for \($0.places.count) flags: \($0.places.joined(separator: ", "))" }
      .joined(separator: "; ")
  }
}
