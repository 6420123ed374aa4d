import FlagDomain
package import FlagEvents
import FlagFiles
import FlagStatistics

/// A join of the exposures and conversions of one flag by unit, in any order and number.
///
/// A unit belongs to the variant of its exposures; a unit of two variants is excluded. Conversions before the first
/// exposure are excluded, too, unless they are measured as a covariate, and so are conversions after the end of the
/// window. Of a unit's conversions with the same id, the earliest one counts.
package struct ExperimentJoin {
  /// The maximum number of names of variants, and of conversions if the names are not given.
  private static let maximumLabels = 100

  private var flag: String?
  private let isFlagGiven: Bool
  private let wanted: Set<String>?
  private let measuresBefore: Bool
  /// The flags of the exposures that do not count.
  private var otherFlags: Set<String> = []
  private var variants = Labels()
  private var names = Labels()
  private var partitions: Partitions
  private var data = ExperimentData()
  private var events = 0
  /// The smallest share of units that a tracker kept.
  private var kept = 1.0
  /// Whether each loss says which units it concerns.
  private var isLossAttributed = true

  /// Creates an empty join.
  ///
  /// - Parameters:
  ///   - flag: The flag; nil for the only one in the events.
  ///   - names: The names of the conversions that count; nil for all.
  ///   - window: The time after a unit's first exposure in which conversions count; nil for no limit.
  ///   - measuresBefore: Whether conversions before the first exposure are measured, as a covariate.
  ///   - memory: The memory limits.
  package init(
    flag: String?, names: Set<String>?, window: ConversionWindow? = nil, measuresBefore: Bool = false,
    memory: JoinMemory
  ) {
    (self.flag, isFlagGiven, wanted, self.measuresBefore) = (flag, flag != nil, names, measuresBefore)
    partitions = Partitions(memory)
    data.window = window
  }
}

extension ExperimentJoin {
  package mutating func skipBrokenLine() { data.notes.brokenLines += 1 }

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
      if isFlagGiven {
        if otherFlags.count < Self.maximumLabels { otherFlags.insert(exposure.flag) }
        return
      }
      throw AnalysisError(
        "exposures of two flags, \((flag ?? "").quoted) and \(exposure.flag.quoted): --flag says which one counts")
    }
    let label = variants.number(of: exposure.label)
    guard variants.texts.count <= Self.maximumLabels else {
      throw AnalysisError("expected at most \(Self.maximumLabels) variants, found another one")
    }
    let rates = data.notes.rates ?? exposure.rate...exposure.rate
    data.notes.rates = min(rates.lowerBound, exposure.rate)...max(rates.upperBound, exposure.rate)
    if let version = exposure.version, data.notes.versions.count < 10 { data.notes.versions.insert(version) }
    try add(
      JoinRecord(
        .exposure, unit: Fingerprint(of: exposure.unit), time: time, label: label,
        value: TrackedLoss.position(of: exposure.unit)))
  }

  private mutating func add(_ conversion: Conversion, of event: TrackedEvent) throws(AnalysisError) {
    if let wanted, !wanted.contains(conversion.name) { return }
    let label = names.number(of: conversion.name)
    guard wanted != nil || names.texts.count <= Self.maximumLabels else {
      throw AnalysisError("conversions of more than \(Self.maximumLabels) names: --metric says which ones count")
    }
    try add(
      JoinRecord(
        .conversion, unit: Fingerprint(of: conversion.unit), id: Fingerprint(of: event.id), time: event.time,
        label: label, value: conversion.value ?? 0))
  }

  private mutating func add(_ loss: TrackedLoss, id: String) throws(AnalysisError) {
    if id.isEmpty {
      data.notes.addLoss(loss.count)
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
    var data = data
    data.flag = flag
    data.notes.events = events
    (data.notes.unknownKinds, data.notes.unknownMembers) = (reader?.unknownKinds ?? 0, reader?.unknownMembers ?? 0)
    data.variants = variants.texts.map { variant in
      ExperimentData.Variant(
        name: variant, usersOfSeveral: 0, usersBefore: 0, incompleteUsers: isLossAttributed ? 0 : nil)
    }
    var groups = [[ConversionStatistics]](
      repeating: [ConversionStatistics](
        repeating: ConversionStatistics(before: measuresBefore ? CovariateStatistics() : nil),
        count: names.texts.count),
      count: variants.texts.count)
    let empty = UnitJoin(
      names: names.texts.count, ranks: UnitJoin.Ranks(variants: variants.ranks, names: names.ranks),
      kept: kept, window: data.window, measuresBefore: measuresBefore)
    do {
      try partitions.take { records in
        var join = empty
        join.join(records)
        join.add(to: &data, &groups)
      }
    } catch {
      throw AnalysisError("the temporary folder: \(error)")
    }
    for (index, group) in groups.enumerated() {
      let named = zip(names.texts, group).filter { $0.1.users > 0 || ($0.1.before?.users ?? 0) > 0 }
      data.variants[index].conversions = Dictionary(uniqueKeysWithValues: named.map { ($0, $1) })
    }
    // A variant whose units all belong to another one, too, has no users, and is removed.
    data.variants.removeAll { $0.users == 0 }
    data.sortVariants()
    if isFlagGiven, variants.texts.isEmpty { throw AnalysisError(noSuchFlag: flag ?? "", among: otherFlags) }
    return data
  }
}

/// Texts and their indexes, in order of first occurrence.
private struct Labels {
  private(set) var texts: [String] = []
  private var numbers: [String: Int] = [:]

  mutating func number(of text: String) -> Int {
    if let number = numbers[text] { return number }
    numbers[text] = texts.count
    texts.append(text)
    return texts.count - 1
  }

  /// The rank of each text in the order of their bytes.
  var ranks: [Int] {
    let order = texts.indices.sorted { texts[$0].utf8.lexicographicallyPrecedes(texts[$1].utf8) }
    var ranks = order
    for (rank, index) in order.enumerated() { ranks[index] = rank }
    return ranks
  }
}
