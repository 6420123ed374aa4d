import FlagDomain

/// Which flags of a console are wanted.
public struct FlagQuery: Hashable, Sendable {
  /// A question that a flag's state answers with yes or no.
  public enum Filter: String, CaseIterable, Hashable, Sendable {
    /// Flags that are switched on.
    case enabled
    /// Flags that are switched off.
    case disabled
    /// Flags that are overridden.
    case overridden
    /// Flags whose value is another than their default.
    case changed
    /// Flags that will have another value after a restart.
    case waiting
    /// Flags that should be gone from the code.
    case expired
    /// Flags with an error.
    case failing

    /// What people call it.
    public var title: String {
      switch self {
      case .enabled: "On"
      case .disabled: "Off"
      case .overridden: "Overridden"
      case .changed: "Not default"
      case .waiting: "Waiting"
      case .expired: "Expired"
      case .failing: "Errors"
      }
    }
  }

  /// Words that all occur in a flag's names, keys and descriptions, or in those of its groups.
  ///
  /// Case and accents do not count.
  public var text: String
  /// What all flags are.
  public var filters: Set<Filter>
  /// The provider that gives the value; nil for any.
  public var provider: String?
  /// The name of the outermost group; nil for any.
  public var group: String?
  /// Whether flags are wanted that browsers hide.
  public var includesInternal: Bool
  /// How many rows are wanted.
  public var limit: Int

  /// Creates a query.
  public init(
    _ text: String = "", filters: Set<Filter> = [], provider: String? = nil, group: String? = nil,
    includesInternal: Bool = false, limit: Int = .max
  ) {
    self.text = text
    self.filters = filters
    self.provider = provider
    self.group = group
    self.includesInternal = includesInternal
    self.limit = limit
  }
}

extension FlagQuery {
  /// Whether answering it takes the values of flags.
  var needsValues: Bool { !filters.isEmpty || provider != nil }

  /// Returns whether a row is wanted, as far as its value decides that.
  func matches(_ row: FlagRow) -> Bool {
    if let provider, row.resolution.provider != provider { return false }
    return filters.allSatisfy { filter in
      switch filter {
      case .enabled: row.isOn == true
      case .disabled: row.isOn == false
      case .overridden: row.isOverridden
      case .changed: row.differsFromDefault
      case .waiting: row.isWaitingForRestart
      case .expired: row.isExpired
      case .failing: !row.resolution.errors.isEmpty
      }
    }
  }
}

/// The flags that a query wants.
public struct FlagList: Hashable, Sendable {
  /// The flags, at most as many as were wanted.
  public let rows: [FlagRow]
  /// How many flags the query would want without its limit.
  public let matched: Int
  /// How many flags there are, without those that browsers hide.
  public let total: Int
  /// How many flags are overridden, at this moment or from the next start on.
  public let overrides: Int
  /// How many flags wait for a restart.
  public let waiting: Int
  /// The number of what is shown.
  public let revision: UInt64
}

/// Flags of one group, one after the other.
public struct FlagSection: Hashable, Sendable, Identifiable {
  /// The names of the groups that lead to the flags, outermost first.
  public let groups: [String]
  /// The flags.
  public let rows: [FlagRow]

  /// The names of the groups.
  public var id: [String] { groups }
  /// The names of the groups as a heading.
  public var title: String { groups.joined(separator: " → ") }
}

extension FlagList {
  /// The flags in their groups, in order.
  public var sections: [FlagSection] {
    var sections: [(groups: [String], rows: [FlagRow])] = []
    for row in rows {
      if sections.last?.groups == row.groups {
        sections[sections.count - 1].rows.append(row)
      } else {
        sections.append((row.groups, [row]))
      }
    }
    return sections.map(FlagSection.init)
  }
}
