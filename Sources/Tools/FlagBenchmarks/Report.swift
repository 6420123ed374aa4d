import Foundation

/// The report of the program.
struct Report: Encodable {
  private(set) var measures: [Line] = []
  /// The peak memory of loading large files, in bytes per byte of the file, by the names of the measures.
  var peakMemoryRatios: [String: Double] = [:]
  /// The events that are delivered in a second, by destination.
  var eventsPerSecond: [String: Double] = [:]

  /// The results of one measure; quantities that the platform does not count, or the measure does not include, are
  /// null.
  struct Line: Encodable {
    let name: String
    let ns: Double
    let allocations: Double?
    let ratio: Double
    let throughput: Double?
    let percentile9999: Double?
    let sharedReferences: Double?
    let rival: String?
    let ratioToRival: Double?
    let cores: Double?
    let efficiency: Double?
  }

  /// Adds a line, and returns it as text.
  mutating func add(_ reading: Reading, of measure: Measure) -> String {
    let line = Line(reading, of: measure)
    measures.append(line)
    return line.text(reading.kind)
  }

  /// The report as JSON.
  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }

  /// The header of the table.
  static let head =
    "measure".padded(to: 36) + "ns".leftPadded(to: 14) + "allocations".leftPadded(to: 14) + "ratio".leftPadded(to: 12)
}

extension Report.Line {
  fileprivate init(_ reading: Reading, of measure: Measure) {
    name = measure.name
    ns = reading.nanoseconds
    allocations = reading.allocations
    ratio = reading.ratio
    throughput = if case .throughput = reading.kind { reading.throughput } else { nil }
    percentile9999 = reading.tail
    sharedReferences = reading.sharedReferences
    rival = measure.rival
    ratioToRival = reading.ratioToRival
    cores = reading.scaling?.cores
    efficiency = reading.scaling?.efficiency
  }

  /// Returns the measure as a row of the table.
  fileprivate func text(_ kind: Workload.Kind) -> String {
    var row =
      name.padded(to: 36) + String(format: "%14.2f", ns)
      + (allocations.map { String(format: "%14.3f", $0) } ?? "-".leftPadded(to: 14)) + String(format: "%12.2f", ratio)
    if let throughput { row += String(format: "%12.3f M/s", throughput / 1e6) }
    if let percentile9999 { row += String(format: "%12.0f ns at 99.99 %%", percentile9999) }
    if let sharedReferences { row += String(format: "%8.1f shared", sharedReferences) }
    guard let rival, let ratioToRival else { return row }
    row += String(format: "  (%.2f times ", ratioToRival) + rival
    if let efficiency { row += String(format: ", %.2f a core", efficiency) }
    return row + ")"
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
  fileprivate func leftPadded(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
