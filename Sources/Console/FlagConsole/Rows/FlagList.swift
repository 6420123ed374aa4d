import FlagDomain

/// The flags that match a query.
public struct FlagList: Hashable, Sendable {
  /// The flags, up to the limit; flags in groups that are shown as one row are not included.
  public let rows: [FlagRow]
  /// The flags and group rows, in sections by group, in order.
  public let sections: [FlagSection]
  /// The group that the list is narrowed to; nil if it is not narrowed, or if there is no such group.
  public let group: FlagGroupRow?
  /// The number of matching flags regardless of the limit, including those in groups that are shown as one row.
  public let matched: Int
  /// The number of flags that the limit leaves out.
  public let omitted: Int
  /// The total number of flags, without internal ones.
  public let total: Int
  /// The number of flags that are overridden, now or from the next start on.
  public let overrides: Int
  /// The confirmation before all overrides are cleared; nil if none can be cleared.
  public let clearingQuestion: FlagQuestion?
  /// The number of flags that wait for a restart.
  public let waiting: Int
  /// The revision of the shown state.
  public let revision: UInt64
}

/// A run of flags and group rows in the same group.
public struct FlagSection: Hashable, Sendable, Identifiable {
  /// A row of a list.
  public enum Item: Hashable, Sendable, Identifiable {
    /// A flag.
    case flag(FlagRow)
    /// A group with a list of its own.
    case group(FlagGroupRow)

    /// The flag's key, or the path of the group.
    public var id: [String] {
      switch self {
      case .flag(let row): [row.key.name]
      case .group(let row): ["", row.name.title] + row.name.path
      }
    }
  }

  /// The display names of the enclosing groups, outermost first.
  public let groups: [String]
  /// The heading: the names of the groups, relative to the group that the list is narrowed to.
  public let title: String
  /// The items of the section, in order.
  public let items: [Item]

  /// The groups and the first item, since a group with another one in its middle has two sections.
  public var id: [String] { groups + (items.first?.id ?? []) }
  /// The flags.
  public var rows: [FlagRow] { items.compactMap { if case .flag(let row) = $0 { row } else { nil } } }

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
public struct FlagGroupName: Hashable, Sendable, Identifiable {
  /// The names, starting with the catalog's.
  public let path: [String]
  /// The display names.
  public let titles: [String]

  /// The path, which identifies the group.
  public var id: [String] { path }
  /// The full display name, with the enclosing groups: `Feed → Video posts`.
  public var title: String { titles.joined(separator: " → ") }
}

/// A group's row in a list, which leads to a list of its own.
public struct FlagGroupRow: Hashable, Sendable, Identifiable {
  /// The group's path.
  public let name: FlagGroupName
  /// The group's description.
  public let summary: String
  /// The name of the group's icon; nil for the default icon.
  public let icon: String?
  /// The number of flags in the group, at every level.
  public let flags: Int
  /// The number of overridden flags in the group, now or from the next start on.
  public let overrides: Int

  /// The group's path.
  public var id: [String] { name.path }
  /// The group's display name, without the enclosing groups.
  public var title: String { name.titles.last ?? "" }
  /// The number of flags and of overridden flags, in words.
  public var countText: String {
    "\(flags) \(flags == 1 ? "flag" : "flags")\(overrides > 0 ? ", \(overrides) overridden" : "")"
  }
}
