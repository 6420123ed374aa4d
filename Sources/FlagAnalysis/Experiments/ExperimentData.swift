package import FlagStatistics

/// The aggregates of an experiment by variant, as counts and sums: all that an analysis needs.
package struct ExperimentData: Hashable, Sendable {
  /// The flag; nil if the data does not contain it.
  package var flag: String?
  /// The variants, ordered by name.
  package var variants: [Variant] = []
  package var excluded = Excluded()
  package var notes = Notes()
  /// The time after a user's first exposure in which conversions count; nil for no limit.
  package var window: ConversionWindow?

  package init() {}

  package struct Variant: Hashable, Sendable {
    package var name: String
    package var users: Int = 0
    /// The number of users of several variants whose first exposure was to this one; nil if it is unknown.
    package var usersOfSeveral: Int?
    /// The number of users with conversions before their first exposure; nil if it is unknown.
    package var usersBefore: Int?
    /// The number of users of whom events may have been lost; nil if it is unknown.
    package var incompleteUsers: Int?
    /// The conversions by name; a missing name means that no user has a conversion.
    package var conversions: [String: ConversionStatistics] = [:]
    /// The number of users by day of their first exposure, in days since the beginning of 1970.
    package var usersByDay: [Int: Int] = [:]
  }

  /// The excluded events and users, by reason.
  package struct Excluded: Hashable, Sendable, Encodable {
    package var usersOfSeveralVariants = 0
    package var conversionsBefore = 0
    /// The number of conversions after the end of their user's window.
    package var conversionsAfter = 0
    package var conversionsOfOthers = 0
    /// The number of conversions whose id had occurred before.
    package var duplicates = 0
  }

  /// Notes on the events for the reader of the results.
  package struct Notes: Hashable, Sendable {
    /// The number of exposures and conversions that were read, including those of other flags; nil for aggregates.
    package var events: Int?
    /// The number of events that were dropped before they were sent.
    package var lost = 0
    /// The minimum and the maximum of the sampling rates; nil without exposures.
    package var rates: ClosedRange<Double>?
    package var versions: Set<String> = []
    package var unknownKinds = 0
    package var unknownMembers = 0
    package var brokenLines = 0
  }
}

/// The statistics of the conversions with one name, for a variant's users.
package struct ConversionStatistics: Hashable, Sendable {
  package var users = 0
  /// The number of conversions of each user.
  package var counts = SampleStatistics()
  /// The sum of the values for each user.
  package var values = SampleStatistics()
  /// The same before the first exposure; nil if that was not measured.
  package var before: CovariateStatistics?
}

extension ExperimentData.Notes {
  mutating func addLoss(_ count: Int) { lost = lost.addingSaturated(count) }
}

extension ExperimentData {
  /// The sorted names of all conversions.
  ///
  /// A name is not included if all its conversions happened before the first exposure of their user.
  package var names: [String] {
    Set(variants.flatMap { $0.conversions.filter { $0.value.users > 0 }.keys }).sorted()
  }

  package var users: Int { variants.reduce(0) { $0 + $1.users } }

  mutating func sortVariants() { variants.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } }
}
