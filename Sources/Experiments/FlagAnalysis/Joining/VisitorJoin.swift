import FlagDomain
import FlagSupport

/// The visitors of an experiment that counts something else, and the units that each of them was.
///
/// A visitor who signs in becomes another unit, perhaps with another variant; conversions since the visitor's first
/// exposure tell of units that were never exposed.
struct VisitorJoin {
  private struct Visitor {
    var first: JoinRecord
    var unit: Fingerprint
    var hasSeveralUnits = false
    var hasSeveralVariants = false
  }

  private let ranks: [Int]
  private var visitors: [Fingerprint: Visitor] = [:]

  /// Joins the records of some visitors.
  init(_ records: [JoinRecord], _ layout: JoinLayout) {
    ranks = layout.ranks.variants
    for record in records where record.kind == .visit && record.isExposed { expose(record) }
    for record in records where record.kind == .visit && !record.isExposed {
      guard let visitor = visitors[record.unit], record.time >= visitor.first.time else { continue }
      if visitor.unit != record.id { visitors[record.unit]?.hasSeveralUnits = true }
    }
  }

  private mutating func expose(_ record: JoinRecord) {
    guard var visitor = visitors[record.unit] else {
      return visitors[record.unit] = Visitor(first: record, unit: record.id)
    }
    if visitor.unit != record.id { visitor.hasSeveralUnits = true }
    if visitor.first.label != record.label { visitor.hasSeveralVariants = true }
    if isOrdered(record, visitor.first) { visitor.first = record }
    visitors[record.unit] = visitor
  }

  /// Returns whether an exposure is before another one: by time, then as a visitor before as a user, then by variant.
  private func isOrdered(_ record: JoinRecord, _ other: JoinRecord) -> Bool {
    if record.time != other.time { return record.time < other.time }
    let (isVisitor, wasVisitor) = (record.id == record.unit, other.id == other.unit)
    return isVisitor == wasVisitor ? ranks[record.label] < ranks[other.label] : isVisitor
  }

  /// Adds the visitors to the sums of the variant that each saw first.
  func add(to sums: inout JoinSums) {
    for visitor in visitors.values {
      sums.addVisitor(
        visitor.first.label, isSeveral: visitor.hasSeveralUnits,
        changed: visitor.hasSeveralUnits && visitor.hasSeveralVariants)
    }
  }
}
