import Foundation
import TestSupport
import Testing

@testable import FlagDomain

@Suite("FlagValue, nested deep")
struct DeepValueTests {
  @Test(
    "A value as deep as documents may be is used in every way on a small stack",
    arguments: [Nesting.arrays, .objects, .both])
  func survives(nesting: Nesting) async throws {
    let isSame = try await SmallStack.run {
      let (value, twin) = (nesting.value(levels: 256), nesting.value(levels: 256))
      var isSame = value == twin && value.isIdentical(to: twin) && value != nesting.value(levels: 255)
      isSame = isSame && value.hashValue == twin.hashValue && areSame(value, twin)
      isSame = try isSame && FlagValue(encoding: value) == value && value.decode(as: FlagValue.self) == value
      let json = try JSONEncoder().encode(value)
      isSame = try isSame && JSONDecoder().decode(FlagValue.self, from: json) == value
      return isSame && value.description.utf8.count == json.count
    }
    #expect(isSame)
  }

  @Test("Numbers of any size are read of Foundation's JSON")
  func readsWideNumbers() throws {
    let json = Data("[1e+21, 1e300, 1.5, 18446744073709551616]".utf8)
    let found = try JSONDecoder().decode(FlagValue.self, from: json)
    #expect(try found.decode(as: [Double].self) == [1e21, 1e300, 1.5, 0x1p64])
    #expect(found.elements?.last == .int(1 << 64))
  }

  @Test("A type that holds itself is read and written as deep as documents may be, on a small stack")
  func decodesTrees() async throws {
    let areSame = try await SmallStack.run {
      let value = Nesting.both.value(levels: 255)
      return try FlagValue(encoding: FlagValue.object(["children": .array([value])]).decode(as: Tree.self))
        == .object(["children": .array([value])])
    }
    #expect(areSame)
  }

  @Test("A value that code nests deeper is described, compared and hashed on a small stack", arguments: [Nesting.both])
  func comparesDeeper(nesting: Nesting) async throws {
    let (value, twin, other) = (nesting.value(levels: 2000), nesting.value(levels: 2000), nesting.value(levels: 1999))
    let outcome = try await SmallStack.run {
      [
        value == twin, value.isIdentical(to: twin), value != other, !value.isIdentical(to: other),
        value.hashValue == twin.hashValue, value.description.hasSuffix("}]"),
      ]
    }
    #expect(outcome == Array(repeating: true, count: 6))
  }

  @Test("The description of a value is its JSON, names in order, and ends early where it is only begun")
  func describes() {
    let value: FlagValue = ["b": [1, [], [:], ["x": .null]], "a": "t\"", "c": 1.5]
    #expect(value.description == #"{"a":"t\"","b":[1,[],{},{"x":null}],"c":1.5}"#)
    #expect(FlagValue.array([]).description == "[]")
    #expect(value.text(atMost: 3) == #"{"a":"t\"""#)
    #expect(value.text(atMost: 1000) == value.description)
  }

  /// The nesting of values.
  enum Nesting: Sendable {
    case arrays, objects, both

    func value(levels: Int) -> FlagValue {
      (1..<levels).reduce(self == .arrays ? .array([]) : .object([:])) { value, level in
        switch self {
        case .arrays: .array([value])
        case .objects: .object(["children": value])
        case .both: level % 2 == 0 ? .object(["children": value]) : .array([value])
        }
      }
    }
  }

  private struct Tree: Codable { var children: [Tree]? }
}
