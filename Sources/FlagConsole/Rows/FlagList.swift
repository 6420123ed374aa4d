import FlagDomain

/// The flags that a query wants.
public struct FlagList: Hashable, Sendable {
  /// The flags, at most as many as were wanted; those in groups that are one row are not among them.
  public let rows: [FlagRow]
  /// The flags and the rows of groups in their groups, in order.
  public let sections: [FlagSection]
  /// The group that the list was narrowed to; nil where it was to none, or where there is no such group.
  public let group: FlagGroupRow?
  /// How many flags the query would want without its limit, those in groups that are one row included.
  public let matched: Int
  /// How many flags the limit leaves out.
  public let omitted: Int
  /// How many flags there are, without those that browsers hide.
  public let total: Int
  /// How many flags are overridden, at this moment or from the next start on.
  public let overrides: Int
  /// What a person is asked before all overrides are cleared; nil where there is none that can be.
  public let clearingQuestion: FlagQuestion?
  /// How many flags wait for a restart.
  public let waiting: Int
  /// The number of what is shown.
  public let revision: UInt64
}

/// Flags and rows of groups that are in the same group, one after the other.
public struct FlagSection: Hashable, Sendable, Identifiable {
  /// A row of a list.
  public enum Item: Hashable, Sendable, Identifiable {
    /// A flag.
    case flag(FlagRow)
    /// A group that leads to a list of its own.
    case group(FlagGroupRow)

    /// The flag's key, or the names that lead to the group.
    public var id: [String] {
      switch self {
      case .flag(let row): [row.key.name]
      case .group(let row): ["", row.name.title] + row.name.path
      }
    }
  }

  /// The names of the groups that lead here, as people call them, outermost first.
  public let groups: [String]
  /// The heading: the names of the groups, without those of the group that the list was narrowed to.
  public let title: String
  /// What is in the group, in order.
  public let items: [Item]

  /// The first item: a group with others in its middle has two sections.
  public var id: [String] { groups + (items.first?.id ?? []) }
  /// The flags.
  public var rows: [FlagRow] { items.compactMap { if case .flag(let row) = $0 { row } else { nil } } }

  /// Puts items into sections; a heading is without the names of as many groups as are said to be known.
  static func sections(of items: [Item], without known: Int) -> [FlagSection] {
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

/// Where a group is: its name and those of the groups that lead to it, and what people call them.
public struct FlagGroupName: Hashable, Sendable, Identifiable {
  /// The names, the catalog's first.
  public let path: [String]
  /// What people call them.
  public let titles: [String]

  /// The names.
  public var id: [String] { path }
  /// What people call it, with the groups that lead to it: `Feed → Video posts`.
  public var title: String { titles.joined(separator: " → ") }
}

/// A group as a list shows it: a row that leads to a list of its own.
public struct FlagGroupRow: Hashable, Sendable, Identifiable {
  /// Where it is.
  public let name: FlagGroupName
  /// What it is about.
  public let summary: String
  /// The name of its icon; nil for the usual one.
  public let icon: String?
  /// How many flags it has, at every level.
  public let flags: Int
  /// How many of them are overridden, at this moment or from the next start on.
  public let overrides: Int

  /// The names that lead to it.
  public var id: [String] { name.path }
  /// What people call it, without the groups that lead to it.
  public var title: String { name.titles.last ?? "" }
  /// How many flags it has, and how many of them are overridden, in words.
  public var countText: String {
    "\(flags) \(flags == 1 ? "flag" : "flags")\(overrides > 0 ? ", \(overrides) overridden" : "")"
  }
}
