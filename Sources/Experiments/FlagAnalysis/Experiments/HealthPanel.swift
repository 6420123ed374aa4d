package import FlagStatistics

/// The checks that decide whether an experiment's data can be trusted, before any effect is looked at.
package struct HealthPanel: Sendable {
  /// The p-value under which a check of the balance between variants fails, that of the sample ratio.
  package static let alpha = 0.001
  /// The number of users up to which users of several variants are accepted, however few users there are.
  package static let acceptedUsers = 10

  /// The number of users with conversions below which few of all conversions are too few: a verdict needs as many.
  static let fewUsers = 20
  static let fewConversions = 0.1
  /// The share of users with conversions, and of conversions by users, below which any number is too few.
  static let fewest = 0.01

  package let ratio: SampleRatioTest
  /// The checks besides the sample ratio.
  package private(set) var checks: [Check]

  package struct Check: Hashable, Sendable, Encodable {
    package let kind: Kind
    /// The number of affected users or events; nil if it is unknown.
    package let count: Int?
    /// The fraction of all users or events; nil if it is unknown.
    package let share: Double?
    /// The largest accepted share; nil if only the balance between variants matters.
    package let limit: Double?
    /// The affected users of each variant, ordered by name, of lost events those who may be incomplete; nil if unknown.
    package let variants: [Part]?
    /// The p-value of an equal share in each variant; nil if that is unknown.
    package let pValue: Double?
    package fileprivate(set) var isFailed: Bool
    /// The attribute that the experiment counts by, and examples of ids; nil unless conversions belong to nobody.
    package fileprivate(set) var units: UnitExamples?
    /// The number of the visitors who saw several variants.
    package fileprivate(set) var changed: Int?
  }

  package enum Kind: String, Sendable, Encodable {
    /// Users who saw several variants, by the first one; they are left out.
    case usersOfSeveralVariants
    /// Users with conversions before their first exposure, which are left out.
    case usersBefore
    /// Events that were dropped before they were sent.
    case lostEvents
    /// Lines that could not be read.
    case brokenLines
    /// Conversions of nobody who was exposed, which are all or nearly all.
    case conversionsOfOthers
    /// Visitors who are several users, as before and after signing in.
    case visitorsOfSeveralUnits
  }

  package struct Part: Hashable, Sendable, Encodable {
    package let variant: String
    package let count: Int
    package let total: Int
  }
}

extension HealthPanel {
  package var isSound: Bool { failures == 0 }
  package var failures: Int { (ratio.isMismatch ? 1 : 0) + checks.count(where: \.isFailed) }

  /// Checks the data of an experiment.
  ///
  /// - Parameters:
  ///   - data: The data, with its variants ordered by name.
  ///   - ratio: The test of the sample ratio.
  ///   - settings: The largest accepted share of users of several variants, of lost events and of broken lines; and the
  ///     metrics that were asked for, which need conversions.
  init(of data: ExperimentData, _ ratio: SampleRatioTest, _ settings: AnalysisSettings) {
    let tolerance = settings.tolerance
    let (several, notes) = (data.excluded.usersOfSeveralVariants, data.notes)
    let before = Self.parts(data) { variant in variant.usersBefore.map { (count: $0, total: variant.users) } }
    self.ratio = ratio
    checks = [
      Check(
        .usersOfSeveralVariants, several, of: several.addingSaturated(data.users), limit: tolerance,
        Self.parts(data) { variant in
          variant.usersOfSeveral.map { (count: $0, total: variant.users.addingSaturated($0)) }
        }, accepted: Self.acceptedUsers),
      Check(.usersBefore, before.map { $0.reduce(0) { $0 + $1.count } }, of: data.users, limit: nil, before),
      Check(
        .lostEvents, notes.events.map { _ in notes.lost }, besides: notes.events, limit: tolerance,
        Self.parts(data) { variant in variant.incompleteUsers.map { (count: $0, total: variant.users) } }),
    ]
    if notes.brokenLines > 0 {
      checks.append(Check(.brokenLines, notes.brokenLines, besides: notes.events, limit: tolerance))
    }
    if data.isHardlyAnyConversionCounted {
      var check = Check(
        .conversionsOfOthers, data.excluded.conversionsOfOthers, besides: data.foundConversions, limit: 0)
      check.units = data.units
      checks.insert(check, at: 0)
    } else if !settings.metrics.isEmpty, data.foundConversions == 0 {
      var check = Check(.conversionsOfOthers, 0, of: 0, limit: 0)
      check.isFailed = true
      checks.insert(check, at: 0)
    }
    let visitors = Self.parts(data) { variant in
      variant.visitors.map { (count: variant.visitorsOfSeveralUnits ?? 0, total: $0) }
    }
    guard let visitors, visitors.contains(where: { $0.count > 0 }) else { return }
    let all = visitors.reduce((count: 0, total: 0)) { ($0.count + $1.count, $0.total + $1.total) }
    var check = Check(
      .visitorsOfSeveralUnits, all.count, of: all.total, limit: tolerance, visitors, accepted: Self.acceptedUsers)
    check.changed = data.visitorsOfSeveralVariants
    checks.append(check)
  }

  /// Returns the affected users of each variant; nil if they are unknown for one of them.
  private static func parts(
    _ data: ExperimentData, _ part: (ExperimentData.Variant) -> (count: Int, total: Int)?
  ) -> [Part]? {
    let parts = data.variants.compactMap { variant in
      part(variant).map { Part(variant: variant.name, count: $0.count, total: $0.total) }
    }
    return parts.count == data.variants.count ? parts : nil
  }
}

extension ExperimentData {
  /// The number of conversions of users who were exposed.
  fileprivate var foundConversions: Int {
    let counted = variants.flatMap(\.conversions.values).reduce(0) { $0 + $1.counts.sum }
    return (Int(exactly: counted) ?? .max).addingSaturated(excluded.conversionsBefore)
      .addingSaturated(excluded.conversionsAfter)
  }

  /// The number of exposed users who have conversions, at least.
  private var convertedUsers: Int {
    let byName = names.map { name in variants.reduce(0) { $0 + ($1.conversions[name]?.users ?? 0) } }
    return max(byName.max() ?? 0, variants.reduce(0) { $0 + ($1.usersBefore ?? 0) })
  }

  /// Whether exposures and conversions seem to be of different people, or to have different ids of the same people.
  ///
  /// Conversions of others are common: an experiment may be for one user in a hundred, or an action be one of one user
  /// in a hundred. If both is true at once, or nine of ten conversions are of others and the rest are too few for a
  /// verdict, the ids of exposures and conversions have next to nothing in common.
  fileprivate var isHardlyAnyConversionCounted: Bool {
    let (found, converted) = (Double(foundConversions), convertedUsers)
    let share = found / (found + Double(excluded.conversionsOfOthers))
    guard excluded.conversionsOfOthers > 0 else { return false }
    return converted < HealthPanel.fewUsers && share < HealthPanel.fewConversions
      || Double(converted) < HealthPanel.fewest * Double(users) && share < HealthPanel.fewest
  }
}

extension HealthPanel.Check {
  fileprivate init(
    _ kind: HealthPanel.Kind, _ count: Int?, of total: Int, limit: Double?, _ variants: [HealthPanel.Part]? = nil,
    accepted: Int = 0
  ) {
    (self.kind, self.count, self.limit, self.variants) = (kind, count, limit, variants)
    let share = count.map { $0 == 0 ? 0 : Double($0) / Double(total) }
    self.share = share
    do throws(StatisticsError) {
      pValue = try variants.map { parts throws(StatisticsError) in
        try ImbalanceTest(counts: parts.map(\.count), users: parts.map(\.total)).pValue
      }
    } catch {
      preconditionFailure("a count is a part of its total: \(error)")
    }
    let isOverLimit = if let count, let share, let limit { count > accepted && share > limit } else { false }
    isFailed = isOverLimit || (pValue ?? 1) < HealthPanel.alpha
  }

  fileprivate init(
    _ kind: HealthPanel.Kind, _ count: Int?, besides others: Int?, limit: Double, _ variants: [HealthPanel.Part]? = nil
  ) {
    self.init(kind, count, of: (others ?? 0).addingSaturated(count ?? 0), limit: limit, variants)
  }
}
