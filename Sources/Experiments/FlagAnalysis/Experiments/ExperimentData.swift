package import FlagStatistics

/// The aggregates of an experiment by variant, as counts and sums: all that an analysis needs.
package struct ExperimentData: Hashable, Sendable {
  /// The flag; nil if the data does not contain it.
  package var flag: String?
  /// The variants, ordered by name.
  package var variants: [Variant] = []
  package var excluded = Excluded()
  package var notes = Notes()
  package var units = UnitExamples()
  /// The number of visitors who were several units, of several variants.
  package var visitorsOfSeveralVariants = 0
  /// The time after a user's first exposure in which conversions count; nil for no limit.
  package var window: ConversionWindow?
  /// The quantile at which the values of users are capped; nil for no cap.
  package var cap: CapQuantile?
  /// The largest value of a user, by the name of the conversion, if values are capped.
  package var caps: [String: Double] = [:]
  /// The attribute of the breakdown; nil without one.
  package var attribute: String?
  /// The data of the users with each value of the attribute, ordered by it.
  package var segments: [Segment] = []
  /// The data as it was by the end of each day with events, in order; empty if that was not measured.
  package var days: [Day] = []

  package init() {}

  package struct Segment: Hashable, Sendable {
    /// The value of the attribute.
    package let name: String
    package var variants: [Variant]
  }

  package struct Day: Hashable, Sendable {
    /// The day, in days since the beginning of 1970, UTC.
    package let day: Int
    /// The variants with all users and conversions until the end of the day.
    package var variants: [Variant]
  }

  package struct Variant: Hashable, Sendable {
    package var name: String
    package var users: Int = 0
    /// The number of users of several variants whose first exposure was to this one; nil if it is unknown.
    package var usersOfSeveral: Int?
    /// The number of users with conversions before their first exposure; nil if it is unknown.
    package var usersBefore: Int?
    /// The number of visitors who saw this variant first, if the experiment does not count visitors; nil if unknown.
    package var visitors: Int?
    /// The number of those of them who were several units, such as before and after signing in.
    package var visitorsOfSeveralUnits: Int?
    /// The number of users of whom events may have been lost; nil if it is unknown.
    package var incompleteUsers: Int?
    /// The conversions by name; a missing name means that no user has a conversion.
    package var conversions: [String: ConversionStatistics] = [:]
    /// The numerators and denominators of ratios; a missing ratio means that no user has either.
    package var ratios: [Ratio: PairedStatistics] = [:]
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

  /// The name of the segment of users without a value of the attribute.
  static let nameWithoutValue = "(none)"

  /// Orders variants and segments by name.
  mutating func sortVariants() {
    func isOrdered(_ left: String, _ right: String) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }
    variants.sort { isOrdered($0.name, $1.name) }
    segments.sort { isOrdered($0.name, $1.name) }
    for index in segments.indices { segments[index].variants.sort { isOrdered($0.name, $1.name) } }
    for index in days.indices { days[index].variants.sort { isOrdered($0.name, $1.name) } }
  }
}
