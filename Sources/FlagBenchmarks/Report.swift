import Foundation

/// What the program prints.
struct Report: Encodable {
  private(set) var measures: [Line] = []

  /// One measure; allocations that the platform does not count are null.
  struct Line: Encodable {
    let name: String
    let ns: Double
    let allocations: Double?
    let ratio: Double
    let rival: String?
    let ratioToRival: Double?

    enum CodingKeys: String, CodingKey {
      case name, ns, allocations, ratio
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(ns, forKey: .ns)
      try container.encode(allocations, forKey: .allocations)
      try container.encode(ratio, forKey: .ratio)
    }
  }
}

extension Report {
  /// Adds a line, and returns it as text.
  mutating func add(_ reading: Reading, of measure: Measure) -> String {
    let line = Line(
      name: measure.name, ns: reading.nanoseconds, allocations: reading.allocations, ratio: reading.ratio,
      rival: measure.rival, ratioToRival: reading.ratioToRival)
    measures.append(line)
    return line.text
  }

  /// The report as JSON.
  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }

  /// The head of the table that the lines make.
  static let head =
    "measure".padded(to: 36) + "ns".leftPadded(to: 14) + "allocations".leftPadded(to: 14) + "ratio".leftPadded(to: 12)
}

extension Report.Line {
  /// The measure as a row of a table.
  fileprivate var text: String {
    let row =
      name.padded(to: 36) + String(format: "%14.2f", ns)
      + (allocations.map { String(format: "%14.3f", $0) } ?? "-".leftPadded(to: 14)) + String(format: "%12.2f", ratio)
    guard let rival, let ratioToRival else { return row }
    return row + String(format: "  (%.2f times ", ratioToRival) + rival + ")"
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
  fileprivate func leftPadded(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
