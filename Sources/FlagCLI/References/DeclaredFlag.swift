import FlagDomain

/// A flag as source declares it.
struct DeclaredFlag: Equatable {
  /// The name of the property, or of the constant.
  let name: String
  /// The type that it is a member of; nil for none.
  let type: String?
  let place: SourcePlace
  /// The whole key, where one is written; nil where it is made from names.
  let key: String?
  /// The day that is written under `expires:`; nil where there is none that can be read.
  let expires: CalendarDay?
  let owner: String?
  /// Whether the declaration is a property of a set, by macro.
  let isMacro: Bool
  /// Whether all files can name it without a type or value before it.
  let isGlobal: Bool

  /// The name with its type: `FeedFlags.pageSize`.
  var title: String { type.map { "\($0).\(name)" } ?? name }
}

struct SourcePlace: Hashable, Comparable {
  let file: Int
  let line: Int
  /// The byte of the line, counted from 1.
  let column: Int

  static func < (left: SourcePlace, right: SourcePlace) -> Bool {
    (left.file, left.line, left.column) < (right.file, right.line, right.column)
  }
}

/// A set of flags that is declared by macro, or a group in one.
struct DeclaredSet {
  let type: String
  /// The first component of its keys, where it is used on its own; nil for none.
  let component: String?
  /// Whether its keys follow a style of their own, which only the compiler knows.
  let hasStyle: Bool
  /// The groups in it: the component of keys, or nil for none, and the type.
  var groups: [(component: String?, type: String)] = []
}

// MARK: - Keys

extension [DeclaredSet] {
  /// Returns the keys that a flag has in the sets that are declared; none where only the compiler knows them.
  func possibleKeys(of flag: DeclaredFlag) -> [String] {
    if let key = flag.key { return [key] }
    guard flag.isMacro, let type = flag.type else { return [] }
    let name = KeyStyle().component(for: flag.name)
    return prefixes(of: type, seen: []).map { ($0 + [name]).joined(separator: ".") }
  }

  /// Returns the components before those of a set's own: where it is used on its own, and in each group.
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
