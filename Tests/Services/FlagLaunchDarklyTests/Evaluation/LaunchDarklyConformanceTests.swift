import FlagDefinitions
import FlagDomain
import FlagJSON
import TestSupport
import Testing

@testable import FlagLaunchDarkly

@Suite("LaunchDarkly conformance")
struct LaunchDarklyConformanceTests {
  @Test(
    "Every case of LaunchDarkly's own suite gives the value, the variation and the reason that it expects",
    .needs(.conformance(.launchDarkly)))
  func cases() throws {
    let lines = try ConformanceSuite.launchDarkly.bytes("cases.jsonl").split(separator: UInt8(ascii: "\n"))
    #expect(!lines.isEmpty)
    for line in lines {
      let entry = try FlagValue(json: line)
      let found = try Case(entry).outcome()
      let expected = try #require(entry["expect"]?.fields)
      for (name, value) in expected {
        // A case without a default says nothing of the value if there is no variation.
        if name == "value", entry["default"] == .null, expected["variationIndex"] == nil { continue }
        #expect(found[name].isSame(as: value), "\(entry["suite"] ?? .null): \(entry["name"] ?? .null): \(name)")
      }
      #expect(expected["variationIndex"] != nil || found["variationIndex"] == nil, "\(entry["name"] ?? .null)")
    }
  }
}

/// A case: a document, a flag, and a context.
private struct Case {
  private let document: [UInt8]
  private let key: String
  private let context: FlagValue
  private let type: String?
  private let other: FlagValue

  init(_ entry: FlagValue) throws {
    let parts: FlagValue = ["flags": entry["flags"] ?? [:], "segments": entry["segments"] ?? .null]
    document = try parts.json()
    key = try #require(entry["flagKey"]?.text)
    context = entry["context"] ?? .null
    type = entry["valueType"]?.text
    other = entry["default"] ?? .null
  }

  /// The result as LaunchDarkly's SDKs give it.
  func outcome() throws -> [String: FlagValue] {
    let document = try LaunchDarklyFormat().read(document, of: nil)
    let context: EvaluationContext
    do throws(FlagError) {
      context = try EvaluationContext(launchDarkly: self.context)
    } catch {
      return failure("USER_NOT_SPECIFIED")
    }
    do throws(FlagError) {
      guard let answer = try document.evaluate(key, in: context, at: 0) else { return failure("FLAG_NOT_FOUND") }
      guard let value = answer.value, let variant = answer.variant else {
        return ["value": other, "reason": reason(answer.metadata)]
      }
      guard value.has(type: type) else { return failure("WRONG_TYPE") }
      return [
        "value": value, "variationIndex": .int(Int128(variant) ?? -1), "reason": reason(answer.metadata),
      ]
    } catch {
      return ["value": other, "reason": reason(error.metadata)]
    }
  }

  private func failure(_ kind: String) -> [String: FlagValue] {
    ["value": other, "reason": ["kind": "ERROR", "errorKind": .string(kind)]]
  }

  private func reason(_ metadata: [String: FlagValue]) -> FlagValue {
    var members = metadata
    members["kind"] = members.removeValue(forKey: "reason")
    return .object(members)
  }
}

extension FlagValue {
  fileprivate subscript(name: String) -> FlagValue? { fields?[name] }

  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }

  fileprivate func has(type: String?) -> Bool {
    switch (type, self) {
    case ("bool", .bool), ("int", .int), ("int", .double), ("double", .int), ("double", .double): true
    case ("string", .string): true
    case ("bool", _), ("int", _), ("double", _), ("string", _): false
    default: true
    }
  }
}

extension FlagValue? {
  /// Returns whether the value is the expected one; numbers are compared by their values.
  fileprivate func isSame(as expected: FlagValue) -> Bool { self.map { $0.isSameJSON(as: expected) } ?? false }
}
