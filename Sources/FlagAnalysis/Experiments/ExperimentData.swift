package import FlagStatistics

/// What users of each variant did, as counts and sums: all that an analysis needs.
package struct ExperimentData: Hashable, Sendable {
  /// The flag; nil where the data does not say it.
  package var flag: String?
  /// The variants, in the order of their names.
  package var variants: [Variant] = []
  package var excluded = Excluded()
  package var notes = Notes()
  /// How long after a user's first exposure conversions count; nil for without an end.
  package var window: ConversionWindow?

  package init() {}

  package struct Variant: Hashable, Sendable {
    package var name: String
    package var users: Int = 0
    /// What they did, by the name of the conversion; a name that is not there was done by nobody.
    package var conversions: [String: ConversionStatistics] = [:]
    /// How many users were first exposed on a day, by days since the beginning of 1970.
    package var usersByDay: [Int: Int] = [:]
  }

  /// What is not analyzed, and why.
  package struct Excluded: Hashable, Sendable, Encodable {
    package var usersOfSeveralVariants = 0
    package var conversionsBefore = 0
    /// Conversions so long after the first exposure of their user that the window had ended.
    package var conversionsAfter = 0
    package var conversionsOfOthers = 0
    /// Conversions that were there before, with the same id.
    package var duplicates = 0
  }

  /// What a reader of the results should know of the events.
  package struct Notes: Hashable, Sendable {
    /// Events that were dropped before they were sent.
    package var lost = 0
    /// The least and the greatest share of users whose events are kept; nil without exposures.
    package var rates: ClosedRange<Double>?
    package var versions: Set<String> = []
    package var unknownKinds = 0
    package var unknownMembers = 0
    package var brokenLines = 0
  }
}

/// What the users of a variant did under one name.
package struct ConversionStatistics: Hashable, Sendable {
  package var users = 0
  /// How often each user did it.
  package var counts = SampleStatistics()
  /// The sum of the values for each user.
  package var values = SampleStatistics()
  /// The same before the first exposure; nil where that was not measured.
  package var before: CovariateStatistics?
}

extension ExperimentData {
  /// The names of all conversions, in order.
  ///
  /// What users did only before their first exposure is not among them.
  package var names: [String] {
    Set(variants.flatMap { $0.conversions.filter { $0.value.users > 0 }.keys }).sorted()
  }

  package var users: Int { variants.reduce(0) { $0 + $1.users } }

  mutating func sortVariants() { variants.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } }
}
