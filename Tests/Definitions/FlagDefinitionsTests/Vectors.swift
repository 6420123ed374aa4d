import FlagJSON
import FlagDomain
import FlagDefinitions
import Foundation

/// Figures that reference implementations gave, beside the tests; `Vectors/README.md` says how they were made.
enum Vectors {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors")

  static func file(_ name: String) -> URL { folder.appending(path: name) }

  /// Returns the bytes of a file.
  static func bytes(_ name: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: file(name))) }

  /// Returns the values of a file with one on each line.
  static func lines(_ name: String) throws -> [FlagValue] {
    try bytes(name).split(separator: UInt8(ascii: "\n")).map { try FlagValue(json: Array($0)) }
  }
}

extension FlagValue {
  subscript(name: String) -> FlagValue {
    if case .object(let fields) = self { fields[name] ?? .null } else { .null }
  }

  subscript(index: Int) -> FlagValue {
    if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { .null }
  }

  var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  var elements: [FlagValue] {
    if case .array(let elements) = self { elements } else { [] }
  }

  var fields: [String: FlagValue] {
    if case .object(let fields) = self { fields } else { [:] }
  }

  /// Whether both are the same JSON, in any notation of their numbers.
  func isSameJSON(as other: FlagValue) -> Bool {
    switch (self, other) {
    case (.int(let left), .double(let right, _)): Double(left) == right
    case (.double(let left, _), .int(let right)): left == Double(right)
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isSameJSON(as: $1) }
    case (.object(let left), .object(let right)):
      left.count == right.count && left.allSatisfy { right[$0.key]?.isSameJSON(as: $0.value) == true }
    default: self == other
    }
  }
}
