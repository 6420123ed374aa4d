import FlagDomain
package import FlagEvents
import FlagFiles
import FlagStatistics
import FlagSupport

/// A join of the exposures and conversions of one flag by unit, in any order and number.
///
/// A unit belongs to the variant of its exposures; a unit of two variants is excluded. Conversions before the first
/// exposure are excluded, too, unless they are measured as a covariate, and so are conversions after the end of the
/// window. Of a unit's conversions with the same id, the earliest one counts.
package struct ExperimentJoin {
  /// The maximum number of names of variants, and of conversions if the names are not given.
  private static let maximumLabels = 100

  private let plan: JoinPlan
  private var flag: String?
  /// The flags of the exposures that do not count.
  private var otherFlags: Set<String> = []
  private var variants = Labels()
  private var names = Labels()
  private var segments = Labels()
  private var counted: CountedAttribute
  private var partitions: Partitions
  private var notes = ExperimentData.Notes()
  private var events = 0
  /// The smallest share of units that a tracker kept.
  private var kept = 1.0
  /// Whether each loss says which units it concerns.
  private var isLossAttributed = true

  /// Creates an empty join.
  package init(_ plan: JoinPlan, memory: JoinMemory) {
    (self.plan, flag, counted) = (plan, plan.flag, CountedAttribute(plan.unit))
    partitions = Partitions(memory)
  }

  package mutating func skipBrokenLine() { notes.brokenLines += 1 }

  /// Adds an event.
  ///
  /// - Throws: An error if there are exposures of two flags, too many names, or no space on the disk.
  package mutating func add(_ event: TrackedEvent) throws(AnalysisError) {
    if case .loss = event.content {} else { events += 1 }
    switch event.content {
    case .exposure(let exposure): try add(exposure, at: event.time)
    case .conversion(let conversion): try add(conversion, of: event)
    case .loss(let loss): try add(loss, id: event.id)
    }
  }

  private mutating func add(_ exposure: TrackedExposure, at time: EventTime) throws(AnalysisError) {
    if flag == nil { flag = exposure.flag }
    guard exposure.flag == flag else {
      if plan.flag != nil {
        if otherFlags.count < Self.maximumLabels { otherFlags.insert(exposure.flag) }
        return
      }
      throw AnalysisError(
        "exposures of two flags, \((flag ?? "").quoted) and \(exposure.flag.quoted): --flag says which one counts")
    }
    guard try counted.counts(exposure) else { return }
    let label = variants.number(of: exposure.label)
    guard variants.texts.count <= Self.maximumLabels else {
      throw AnalysisError("expected at most \(Self.maximumLabels) variants, found another one")
    }
    let rates = notes.rates ?? exposure.rate...exposure.rate
    notes.rates = min(rates.lowerBound, exposure.rate)...max(rates.upperBound, exposure.rate)
    if let version = exposure.version, notes.versions.count < 10 { notes.versions.insert(version) }
    let segment = try segment(of: exposure)
    try add(
      JoinRecord(
        .exposure, unit: Fingerprint(of: exposure.unit), id: Fingerprint(low: UInt64(segment), high: 0), time: time,
        label: label, value: TrackedLoss.position(of: exposure.unit)))
    guard !counted.isVisitor, let visitor = exposure.units[EvaluationContext.visitorIDName] else { return }
    try add(
      JoinRecord(
        .visit, unit: Fingerprint(of: visitor), id: Fingerprint(of: exposure.unit), time: time, label: label, value: 1))
  }

  /// Returns the label of the segment, by the value of the plan's attribute.
  private mutating func segment(of exposure: TrackedExposure) throws(AnalysisError) -> Int {
    guard let attribute = plan.attribute else { return 0 }
    let text =
      switch exposure.attributes[attribute] {
      case nil, .null?: ExperimentData.nameWithoutValue
      case .string(let text)?: text
      case let value?: "\(value)"
      }
    let label = segments.number(of: text)
    guard segments.texts.count <= Self.maximumLabels else {
      throw AnalysisError("expected at most \(Self.maximumLabels) values of \(attribute.quoted), found another one")
    }
    return label
  }

  private mutating func add(_ conversion: Conversion, of event: TrackedEvent) throws(AnalysisError) {
    if let wanted = plan.names, !wanted.contains(conversion.name) { return }
    let label = names.number(of: conversion.name)
    guard plan.names != nil || names.texts.count <= Self.maximumLabels else {
      throw AnalysisError("conversions of more than \(Self.maximumLabels) names: --metric says which ones count")
    }
    let (units, missing) = try counted.units(of: conversion)
    let id = Fingerprint(of: event.id)
    let visitor =
      counted.isVisitor ? nil : conversion.units[EvaluationContext.visitorIDName].map { Fingerprint(of: $0) }
    for (attribute, unit) in units {
      let unit = Fingerprint(of: unit)
      try add(
        JoinRecord(
          .conversion, unit: unit, id: id, time: event.time, label: label, attribute: attribute,
          value: conversion.value ?? 0))
      guard let visitor else { continue }
      try add(JoinRecord(.visit, unit: visitor, id: unit, time: event.time, attribute: attribute))
    }
    if let missing {
      try add(JoinRecord(.conversionWithoutUnit, unit: id, id: id, value: Double(bitPattern: missing)))
    }
  }

  private mutating func add(_ loss: TrackedLoss, id: String) throws(AnalysisError) {
    if id.isEmpty {
      notes.addLoss(loss.count)
    } else {
      try add(JoinRecord(.loss, unit: Fingerprint(of: id), value: Double(loss.count)))
    }
    guard loss.count > 0 else { return }
    if let unit = loss.unit {
      try add(JoinRecord(.incompleteUnit, unit: Fingerprint(of: unit)))
    } else if let share = loss.kept {
      kept = min(kept, share)
    } else {
      isLossAttributed = false
    }
  }

  private mutating func add(_ record: JoinRecord) throws(AnalysisError) {
    do { try partitions.add(record) } catch { throw AnalysisError("the temporary folder: \(error)") }
  }

  /// Joins all events, and returns the data of each variant, with notes on the events that the reader skipped.
  package mutating func finish(_ reader: EventReader? = nil) throws(AnalysisError) -> ExperimentData {
    if plan.flag != nil, variants.texts.isEmpty, counted.others.isEmpty {
      throw AnalysisError(noSuchFlag: flag ?? "", among: otherFlags)
    }
    if let unit = plan.unit, variants.texts.isEmpty, !counted.others.isEmpty {
      let known = counted.others.sorted().map(\.quoted).joined(separator: ", ")
      throw AnalysisError("no exposure counts by \(unit.quoted): they count by \(known)")
    }
    var layout = JoinLayout(plan, variants: variants, names: names, segments: segments, kept: kept)
    var sums: JoinSums
    do {
      if let cap = plan.cap { try layout.measureCaps(cap, of: &partitions) }
      sums = JoinSums(layout, variants: variants.texts.map(variant))
      try partitions.take { [counted = counted.label] all in
        let records = all.filter { $0.counts(counted) }
        var join = UnitJoin(layout)
        join.join(records, days: &sums.days)
        join.add(to: &sums)
        VisitorJoin(records, layout).add(to: &sums)
      }
    } catch {
      throw AnalysisError("the temporary folder: \(error)")
    }
    var data = try sums.finish(segments: segments.texts)
    (data.flag, data.notes, data.notes.events, data.units) = (flag, notes, events, counted.examples)
    data.notes.addLoss(sums.lost)
    (data.notes.unknownKinds, data.notes.unknownMembers) = (reader?.unknownKinds ?? 0, reader?.unknownMembers ?? 0)
    return data
  }

  private func variant(_ name: String) -> ExperimentData.Variant {
    ExperimentData.Variant(
      name: name, usersOfSeveral: 0, usersBefore: 0, incompleteUsers: isLossAttributed ? 0 : nil)
  }
}
