import FlagDomain

/// A flag as it is declared in source code.
struct DeclaredFlag: Equatable {
  /// The name of the property or constant.
  let name: String
  /// The enclosing type, or nil.
  let type: String?
  let place: SourcePlace
  /// The whole key, if it is written out; nil if it is derived from names.
  let key: String?
  /// The date under `expires:`; nil if it is missing or not readable.
  let expires: CalendarDay?
  let owner: String?
  /// Whether the declaration is a property of a macro's set.
  let isMacro: Bool
  /// Whether all files can refer to it without a type or value before it.
  let isGlobal: Bool

  /// The name with its type: `FeedFlags.pageSize`.
  var title: String { type.map { "\($0).\(name)" } ?? name }
}

struct SourcePlace: Hashable, Comparable {
  let file: Int
  let line: Int
  /// The column in bytes, counted from 1.
  let column: Int

  static func < (left: SourcePlace, right: SourcePlace) -> Bool {
    (left.file, left.line, left.column) < (right.file, right.line, right.column)
  }
}

/// A set of flags that is declared by macro, or a group in a set.
struct DeclaredSet {
  let type: String
  /// The first component of its keys outside of groups, or nil.
  let component: String?
  /// Whether its keys have a custom style, which only the compiler knows.
  let hasStyle: Bool
  /// Its groups: the key component, or nil, and the type.
  var groups: [(component: String?, type: String)] = []
}

// MARK: - Keys

extension [DeclaredSet] {
  /// Returns the possible keys of a flag in the declared sets; empty if only the compiler knows them.
  func possibleKeys(of flag: DeclaredFlag) -> [String] {
    if let key = flag.key { return [key] }
    guard flag.isMacro, let type = flag.type else { return [] }
    let name = KeyStyle().component(for: flag.name)
    return prefixes(of: type, seen: []).map { ($0 + [name]).joined(separator: ".") }
  }

  /// Returns the key components before those of a set: for the set itself, and for each group that it is used as.
  private func prefixes(of type: String, seen: Set<String>) -> [[String]] {
    guard !seen.contains(type), let set = first(where: { $0.type == type }), !set.hasStyle else { return [] }
    var prefixes = [set.component.map { [$0] } ?? []]
    for parent in self {
      for group in parent.groups where group.type == type {
        let inner = group.component.map { [$0] } ?? []
        prefixes += self.prefixes(of: parent.type, seen: seen.union([type])).map { $0 + inner }
      }
    }
    return prefixes
  }
}
