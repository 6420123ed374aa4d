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
  /// The names of the providers of which one gives the value; none for any.
  public var providers: Set<String>
  /// The names of the groups that lead to the flags, outermost first; none for all flags.
  public var group: [String]
  /// Whether a group that is shown as navigation is one row in place of its flags, where nothing is searched for.
  ///
  /// Words, filters and providers find flags at every level, so then there are no such rows.
  public var showsGroupRows: Bool
  /// Whether flags are wanted that browsers hide.
  public var includesInternal: Bool
  /// How many rows are wanted.
  public var limit: Int

  /// Creates a query.
  public init(
    _ text: String = "", filters: Set<Filter> = [], providers: Set<String> = [], group: [String] = [],
    showsGroupRows: Bool = false, includesInternal: Bool = false, limit: Int = .max
  ) {
    self.text = text
    self.filters = filters
    self.providers = providers
    self.group = group
    self.showsGroupRows = showsGroupRows
    self.includesInternal = includesInternal
    self.limit = limit
  }
}

extension FlagQuery {
  /// The filter, where a face offers one at a time; nil for none.
  public var filter: Filter? {
    get { Filter.allCases.first(where: filters.contains) }
    set { filters = Set([newValue].compactMap { $0 }) }
  }

  /// Chooses a provider beside those that are chosen, or takes it back; where none is, any may give the value.
  public mutating func toggle(provider: String) {
    if providers.remove(provider) == nil { providers.insert(provider) }
  }

  /// Whether answering it takes the values of flags.
  var needsValues: Bool { !filters.isEmpty || !providers.isEmpty }

  /// Returns whether a row is wanted, as far as its value decides that.
  func matches(_ row: FlagRow) -> Bool {
    if !providers.isEmpty, row.resolution.provider.map(providers.contains) != true { return false }
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
