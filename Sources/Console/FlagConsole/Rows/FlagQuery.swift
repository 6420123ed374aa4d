import FlagDomain

/// A query for flags of a console.
public struct FlagQuery: Hashable, Sendable {
  /// A condition on a flag's state.
  public enum Filter: String, CaseIterable, Hashable, Sendable {
    /// Flags that are switched on.
    case enabled
    /// Flags that are switched off.
    case disabled
    /// Flags that are overridden.
    case overridden
    /// Flags whose value differs from their default.
    case changed
    /// Flags that will have another value after a restart.
    case waiting
    /// Flags that are past their last day and should be removed from the code.
    case expired
    /// Flags that may have done their work: expired or retired ones, and those that give everyone the same.
    case stale
    /// Flags with an error.
    case failing

    /// The label that people see.
    package var title: String {
      switch self {
      case .enabled: "On"
      case .disabled: "Off"
      case .overridden: "Overridden"
      case .changed: "Not default"
      case .waiting: "Waiting"
      case .expired: "Expired"
      case .stale: "Stale"
      case .failing: "Errors"
      }
    }
  }

  /// An order of flags.
  public enum Order: String, CaseIterable, Hashable, Sendable {
    /// The order of the catalogs or the document, in groups.
    case document
    /// By name.
    case name
    /// By state: those that are on, then those that are off, then others by their values.
    case state

    /// The label that people see.
    package var title: String {
      switch self {
      case .document: "As defined"
      case .name: "By name"
      case .state: "By state"
      }
    }
  }

  /// The search words, all of which must occur in the names, keys or descriptions of a flag and its groups.
  ///
  /// Case and accents are ignored.
  public var text: String
  /// The conditions that all flags must meet.
  public var filters: Set<Filter>
  /// The names of the providers that may supply the value; empty for any.
  package var providers: Set<String>
  /// The path of the group to narrow the list to, outermost first; empty for all flags.
  package var group: [String]
  /// Whether a group with the navigation style is shown as one row in place of its flags, if there is no search.
  ///
  /// A search with words, filters or providers finds flags at every level, so it has no such rows.
  package var showsGroupRows: Bool
  /// Whether internal flags are included.
  package var includesInternal: Bool
  /// The maximum number of rows.
  public var limit: Int
  /// The order; all but the first one leave the groups out.
  package var order: Order
  /// The tags that all flags must have.
  package var tags: Set<String>
  /// The owner that all flags must have; nil for any.
  package var owner: String?
  /// The state for everyone that all flags must have; nil for any.
  package var reach: FlagReach?

  /// Creates a query.
  public init(
    _ text: String = "", filters: Set<Filter> = [], providers: Set<String> = [], group: [String] = [],
    showsGroupRows: Bool = false, includesInternal: Bool = false, limit: Int = .max, order: Order = .document,
    tags: Set<String> = [], owner: String? = nil
  ) {
    (self.text, self.filters, self.providers, self.group) = (text, filters, providers, group)
    (self.showsGroupRows, self.includesInternal, self.limit) = (showsGroupRows, includesInternal, limit)
    (self.order, self.tags, self.owner) = (order, tags, owner)
  }

  /// The filter, for user interfaces that offer one at a time; nil for none.
  package var filter: Filter? {
    get { Filter.allCases.first(where: filters.contains) }
    set { filters = Set([newValue].compactMap { $0 }) }
  }

  /// Adds a condition or removes it.
  package mutating func toggle(_ filter: Filter) {
    if filters.remove(filter) == nil { filters.insert(filter) }
  }

  /// Adds a provider to the selection or removes it; with none selected, any provider may supply the value.
  package mutating func toggle(provider: String) {
    if providers.remove(provider) == nil { providers.insert(provider) }
  }

  /// Whether the query depends on the values of flags.
  var needsValues: Bool {
    !filters.subtracting([.stale]).isEmpty || reach != nil || !providers.isEmpty || order == .state
  }

  /// The number of groups that headings leave out; nil for a list without headings.
  var knownGroups: Int? { order == .document ? group.count : nil }

  /// Whether groups may be shown as rows.
  var allowsGroupRows: Bool {
    showsGroupRows && filters.isEmpty && reach == nil && tags.isEmpty && owner == nil && order == .document
  }

  /// Returns whether a row matches the filters and providers.
  func matches(_ row: FlagRow) -> Bool {
    if !providers.isEmpty, row.resolution.provider.map(providers.contains) != true { return false }
    if let reach, row.reach != reach { return false }
    return filters.allSatisfy { filter in
      switch filter {
      case .enabled: row.isOn == true
      case .disabled: row.isOn == false
      case .overridden: row.isOverridden
      case .changed: row.differsFromDefault
      case .waiting: row.isWaitingForRestart
      case .expired: row.isExpired
      case .stale: !row.staleness.isEmpty
      case .failing: !row.errors.isEmpty
      }
    }
  }
}
