import FlagDomain
package import FlagEvents
import FlagFiles
import FlagStatistics

/// A join of the exposures and conversions of one flag by unit, in any order and number.
///
/// A unit belongs to the variant of its exposures; a unit of two variants is excluded. Conversions before the first
/// exposure are excluded, too, unless they are measured as a covariate, and so are conversions after the end of the
/// window. A duplicate event, by its id, counts once.
package struct ExperimentJoin {
  /// The maximum number of names of variants, and of conversions if the names are not given.
  private static let maximumLabels = 100

  private var flag: String?
  private let isFlagGiven: Bool
  private let wanted: Set<String>?
  private let measuresBefore: Bool
  private var variants = Labels()
  private var names = Labels()
  private var partitions: Partitions
  private var data = ExperimentData()

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
    switch event.content {
    case .exposure(let exposure): try add(exposure, at: event.time)
    case .conversion(let conversion): try add(conversion, of: event)
    case .loss(let loss):
      let lost = data.notes.lost
      data.notes.lost = loss.count > .max - lost ? .max : lost + loss.count
    }
  }

  private mutating func add(_ exposure: TrackedExposure, at time: EventTime) throws(AnalysisError) {
    if flag == nil { flag = exposure.flag }
    guard exposure.flag == flag else {
      if isFlagGiven { return }
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
      JoinRecord(unit: Fingerprint(of: exposure.unit), conversion: nil, time: time, label: label, value: 0))
  }

  private mutating func add(_ conversion: Conversion, of event: TrackedEvent) throws(AnalysisError) {
    if let wanted, !wanted.contains(conversion.name) { return }
    let label = names.number(of: conversion.name)
    guard wanted != nil || names.texts.count <= Self.maximumLabels else {
      throw AnalysisError("conversions of more than \(Self.maximumLabels) names: --metric says which ones count")
    }
    try add(
      JoinRecord(
        unit: Fingerprint(of: conversion.unit), conversion: Fingerprint(of: event.id), time: event.time, label: label,
        value: conversion.value ?? 0))
  }

  private mutating func add(_ record: JoinRecord) throws(AnalysisError) {
    do { try partitions.add(record) } catch { throw AnalysisError("the temporary folder: \(error)") }
  }

  /// Joins all events, and returns the data of each variant, with notes on the events that the reader skipped.
  package mutating func finish(_ reader: EventReader? = nil) throws(AnalysisError) -> ExperimentData {
    var data = data
    data.flag = flag
    (data.notes.unknownKinds, data.notes.unknownMembers) = (reader?.unknownKinds ?? 0, reader?.unknownMembers ?? 0)
    data.variants = variants.texts.map { ExperimentData.Variant(name: $0) }
    var groups = [[ConversionStatistics]](
      repeating: [ConversionStatistics](
        repeating: ConversionStatistics(before: measuresBefore ? CovariateStatistics() : nil),
        count: names.texts.count),
      count: variants.texts.count)
    let empty = UnitJoin(names: names.texts.count, window: data.window, measuresBefore: measuresBefore)
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
}
