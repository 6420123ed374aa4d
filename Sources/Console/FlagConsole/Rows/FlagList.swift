import FlagDomain

/// The flags that match a query.
public struct FlagList: Hashable, Sendable {
  /// The flags, up to the limit; flags in groups that are shown as one row are not included.
  public let rows: [FlagRow]
  /// The flags and group rows, in sections by group, in order.
  package let sections: [FlagSection]
  /// The group that the list is narrowed to; nil if it is not narrowed, or if there is no such group.
  package let group: FlagGroupRow?
  /// The number of matching flags regardless of the limit, including those in groups that are shown as one row.
  package let matched: Int
  /// The number of flags that the limit leaves out.
  package let omitted: Int
  /// The total number of flags, without internal ones.
  public let total: Int
  /// The number of flags that are overridden, now or from the next start on.
  package let overrides: Int
  /// The confirmation before all overrides are cleared; nil if none can be cleared.
  package let clearingQuestion: FlagQuestion?
  /// The number of flags that wait for a restart.
  package let waiting: Int
  /// The revision of the shown state.
  package let revision: UInt64

  /// The number of flags that wait for a restart, as a sentence; nil for zero.
  package var restartNotice: String? {
    waiting == 0 ? nil : "\(waiting.counted("flag")) \(waiting == 1 ? "waits" : "wait") for a restart."
  }
}

/// A run of flags and group rows in the same group.
package struct FlagSection: Hashable, Sendable, Identifiable {
  /// A row of a list.
  package enum Item: Hashable, Sendable, Identifiable {
    case flag(FlagRow)
    /// A group with a list of its own.
    case group(FlagGroupRow)

    /// The flag's key, or the path of the group.
    package var id: [String] {
      switch self {
      case .flag(let row): [row.key.name]
      case .group(let row): ["", row.name.title] + row.name.path
      }
    }
  }

  /// The display names of the enclosing groups, outermost first.
  package let groups: [String]
  /// The heading: the names of the groups, relative to the group that the list is narrowed to.
  package let title: String
  /// The items of the section, in order.
  package let items: [Item]

  /// The groups and the first item, since a group with another one in its middle has two sections.
  package var id: [String] { groups + (items.first?.id ?? []) }
  package var rows: [FlagRow] { items.compactMap { if case .flag(let row) = $0 { row } else { nil } } }

  /// Groups items into sections, and leaves the given number of outer group names out of the headings.
  ///
  /// Without a number, all items are in one section.
  static func sections(of items: [Item], without known: Int?) -> [FlagSection] {
    guard let known else { return items.isEmpty ? [] : [FlagSection(groups: [], title: "", items: items)] }
    var sections: [(groups: [String], items: [Item])] = []
    for item in items {
      let groups = item.groups
      if sections.last?.groups == groups {
        sections[sections.count - 1].items.append(item)
      } else {
        sections.append((groups, [item]))
      }
    }
    return sections.map { groups, items in
      FlagSection(groups: groups, title: groups.dropFirst(known).joined(separator: " → "), items: items)
    }
  }
}

extension FlagSection.Item {
  fileprivate var groups: [String] {
    switch self {
    case .flag(let row): row.groups
    case .group(let row): row.name.titles.dropLast()
    }
  }
}

/// The path of a group: its name and those of its enclosing groups, with their display names.
package struct FlagGroupName: Hashable, Sendable, Identifiable {
  /// The names, starting with the catalog's.
  package let path: [String]
  /// The display names.
  package let titles: [String]

  package var id: [String] { path }
  /// The full display name, with the enclosing groups: `Feed → Video posts`.
  package var title: String { titles.joined(separator: " → ") }
}

/// A group's row in a list, which leads to a list of its own.
package struct FlagGroupRow: Hashable, Sendable, Identifiable {
  package let name: FlagGroupName
  package let summary: String
  /// The name of the group's icon; nil for the default icon.
  package let icon: String?
  /// The number of flags in the group, at every level.
  package let flags: Int
  /// The number of overridden flags in the group, now or from the next start on.
  package let overrides: Int

  package var id: [String] { name.path }
  /// The group's display name, without the enclosing groups.
  package var title: String { name.titles.last ?? "" }
  /// The number of flags and of overridden flags, in words.
  package var countText: String {
    "\(flags) \(flags == 1 ? "flag" : "flags")\(overrides > 0 ? ", \(overrides) overridden" : "")"
  }
}
