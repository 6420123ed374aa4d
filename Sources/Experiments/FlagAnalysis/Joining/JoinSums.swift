import FlagEvents
import FlagStatistics

/// The sums of a join: over all units of a variant, over those of each segment, and over days.
struct JoinSums {
  private let layout: JoinLayout
  private(set) var whole: [VariantSums]
  /// The sums by segment and variant; empty without a breakdown.
  private var segments: [[VariantSums]]
  var days: DaySums
  var excluded = ExperimentData.Excluded()
  var lost = 0
  private var visitorsOfSeveralVariants = 0

  init(_ layout: JoinLayout, variants: [ExperimentData.Variant]) {
    self.layout = layout
    whole = variants.map { VariantSums($0, layout) }
    segments = layout.plan.attribute == nil ? [] : layout.ranks.segments.map { _ in [] }
    for index in segments.indices {
      segments[index] = variants.map { VariantSums(ExperimentData.Variant(name: $0.name), layout) }
    }
    days = DaySums(variants: variants.count, names: layout.names.count)
  }

  /// Adds a unit of several variants, which counts for nothing else.
  mutating func addSeveral(_ variant: Int) {
    excluded.usersOfSeveralVariants += 1
    whole[variant].variant.usersOfSeveral? += 1
  }

  /// Adds a visitor to the variant that was seen first.
  mutating func addVisitor(_ variant: Int, isSeveral: Bool, changed: Bool) {
    whole[variant].variant.visitors = (whole[variant].variant.visitors ?? 0) + 1
    let several = whole[variant].variant.visitorsOfSeveralUnits ?? 0
    whole[variant].variant.visitorsOfSeveralUnits = several + (isSeveral ? 1 : 0)
    if changed { visitorsOfSeveralVariants += 1 }
  }

  /// Adds a unit with its activities, which start at an index.
  mutating func add(_ unit: UnitJoin.Unit, _ activities: [Activity], before: [Activity], at index: Int) {
    whole[unit.variant].add(unit, activities, before: before, at: index, layout)
    if !segments.isEmpty {
      segments[unit.segment][unit.variant].add(unit, activities, before: before, at: index, layout)
    }
  }

  /// Returns the data of variants with units, ordered by name.
  func finish(segments names: [String]) throws(AnalysisError) -> ExperimentData {
    var data = ExperimentData()
    // A variant whose units all belong to another one, too, has no users, and is removed.
    let kept = whole.indices.filter { whole[$0].variant.users > 0 }
    data.variants = kept.map { whole[$0].finished(layout) }
    data.segments = segments.enumerated().map { index, segment in
      ExperimentData.Segment(name: names[index], variants: kept.map { segment[$0].finished(layout) })
    }.filter { segment in segment.variants.contains { $0.users > 0 } }
    if layout.plan.measuresDays { data.days = try days.cumulated(whole.map(\.variant), kept, layout.names) }
    (data.excluded, data.visitorsOfSeveralVariants) = (excluded, visitorsOfSeveralVariants)
    (data.window, data.attribute, data.cap) = (layout.plan.window, layout.plan.attribute, layout.plan.cap)
    for (name, cap) in zip(layout.names, layout.caps) where cap.isFinite { data.caps[name] = cap }
    data.sortVariants()
    return data
  }
}

/// The sums of a variant's units.
struct VariantSums {
  var variant: ExperimentData.Variant
  private var conversions: [ConversionStatistics]
  private var ratios: [PairedStatistics]

  init(_ variant: ExperimentData.Variant, _ layout: JoinLayout) {
    self.variant = variant
    let empty = ConversionStatistics(before: layout.plan.measuresBefore ? CovariateStatistics() : nil)
    conversions = Array(repeating: empty, count: layout.names.count)
    ratios = Array(repeating: PairedStatistics(), count: layout.ratios.count)
  }

  mutating func add(
    _ unit: UnitJoin.Unit, _ activities: [Activity], before: [Activity], at index: Int, _ layout: JoinLayout
  ) {
    variant.users += 1
    variant.usersByDay[unit.first.day, default: 0] += 1
    if unit.isIncomplete { variant.incompleteUsers? += 1 }
    if unit.convertedBefore { variant.usersBefore? += 1 }
    for name in conversions.indices {
      let activity = activities[index + name].capped(at: layout.caps[name])
      if !before.isEmpty {
        let before = before[index + name]
        conversions[name].before?.shares.add(outcome: activity.share, covariate: before.share)
        conversions[name].before?.counts.add(outcome: activity.count, covariate: before.count)
        conversions[name].before?.values.add(outcome: activity.value, covariate: before.value)
      }
      conversions[name].users += activity.count > 0 ? 1 : 0
      conversions[name].counts.add(activity.count)
      conversions[name].values.add(activity.value)
    }
    // A cap of one side of a quotient would change the quotient of users who all do the same.
    for (number, ratio) in layout.ratios.enumerated() {
      ratios[number].add(
        outcome: activities[index + ratio.numerator].number(ratio.ratio.numerator.kind),
        covariate: activities[index + ratio.denominator].number(ratio.ratio.denominator.kind))
    }
  }

  func finished(_ layout: JoinLayout) -> ExperimentData.Variant {
    var variant = variant
    let named = zip(layout.names, conversions).filter { $0.1.users > 0 || ($0.1.before?.users ?? 0) > 0 }
    variant.conversions = Dictionary(uniqueKeysWithValues: named.map { ($0, $1) })
    variant.ratios = Dictionary(zip(layout.ratios.map(\.ratio), ratios)) { first, _ in first }
    return variant
  }
}
