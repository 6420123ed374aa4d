import FlagJSON
import FlagDomain
import FlagDefinitions
import Foundation
import Testing

/// Test data that lives outside of the package: figures of reference implementations, and other projects' suites.
enum Conformance {
  /// The folder that the environment names, or the one beside the package.
  private static let folder =
    ProcessInfo.processInfo.environment["FLAGS_CONFORMANCE"].map { URL(fileURLWithPath: $0, isDirectory: true) }
    ?? packageRoot.deletingLastPathComponent().appendingPathComponent("shared/conformance", isDirectory: true)

  private static let packageRoot = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }

  static let isAvailable = FileManager.default.fileExists(atPath: folder.path)
  static let absence: Comment = "no conformance data: set FLAGS_CONFORMANCE to the folder that holds it"

  static func file(_ path: String) -> URL { folder.appendingPathComponent(path) }

  /// The bytes of a file.
  static func bytes(_ path: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: file(path))) }

  /// The values of a file with one on each line.
  static func lines(_ path: String) throws -> [FlagValue] {
    try bytes(path).split(separator: UInt8(ascii: "\n")).map { try FlagValue(json: Array($0)) }
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

  /// Whether both are the same JSON, however their numbers are written.
  func isSameJSON(as other: FlagValue) -> Bool {
    switch (self, other) {
    case (.int(let left), .double(let right)): Double(left) == right
    case (.double(let left), .int(let right)): left == Double(right)
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isSameJSON(as: $1) }
    case (.object(let left), .object(let right)):
      left.count == right.count && left.allSatisfy { right[$0.key]?.isSameJSON(as: $0.value) == true }
    default: self == other
    }
  }
}
