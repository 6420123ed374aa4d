import Foundation
import Testing

/// One line of the reference figures: a question, its answer, and how near to it ours must be.
struct ReferenceVector: Decodable, Sendable, CustomTestStringConvertible {
  let kind: String
  let input: JSON
  let output: JSON
  /// The relative tolerance; absolute where the answer is 0.
  let tolerance: Double

  private enum CodingKeys: String, CodingKey {
    case kind
    case input = "in"
    case output = "out"
    case tolerance = "rel"
  }

  var testDescription: String { "\(kind) \(input)" }
}

extension ReferenceVector {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors")

  /// All lines of a file.
  static func all(in file: String = "statistics.jsonl") throws -> [ReferenceVector] {
    try Data(contentsOf: folder.appending(path: file)).split(separator: UInt8(ascii: "\n"))
      .map { try JSONDecoder().decode(ReferenceVector.self, from: $0) }
  }

  /// Expects an answer within the tolerance, or a multiple of it.
  func expect(
    _ answer: Double, _ expected: JSON, _ name: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let expected = try expected.number
    let difference = (answer - expected).magnitude
    #expect(
      difference <= tolerance * (expected == 0 ? 1 : expected.magnitude),
      "\(self) \(name): \(answer), expected \(expected)", sourceLocation: sourceLocation)
  }
}

/// A JSON value, as far as the reference figures have one.
indirect enum JSON: Decodable, Sendable, CustomStringConvertible {
  case number(Double)
  case string(String)
  case bool(Bool)
  case array([JSON])
  case object([String: JSON])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  subscript(name: String) -> JSON {
    get throws {
      if case .object(let members) = self, let member = members[name] { return member }
      throw Mismatch(expected: "an object with \(name)", found: self)
    }
  }

  func has(_ name: String) -> Bool {
    if case .object(let members) = self { members[name] != nil } else { false }
  }

  var number: Double {
    get throws {
      if case .number(let value) = self { return value }
      throw Mismatch(expected: "a number", found: self)
    }
  }

  var integer: Int {
    get throws { try #require(Int(exactly: number)) }
  }

  var string: String {
    get throws {
      if case .string(let value) = self { return value }
      throw Mismatch(expected: "a string", found: self)
    }
  }

  var elements: [JSON] {
    get throws {
      if case .array(let elements) = self { return elements }
      throw Mismatch(expected: "an array", found: self)
    }
  }

  var description: String {
    switch self {
    case .number(let value): "\(value)"
    case .string(let value): value
    case .bool(let value): "\(value)"
    case .array(let elements): "\(elements)"
    case .object(let members):
      members.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
  }

  struct Mismatch: Error {
    let expected: String
    let found: JSON
  }
}
