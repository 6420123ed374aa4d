import FlagDomain
import Testing

@Suite("Writing types as flag values")
struct FlagValueEncodingTests {
  @Test("Every integer round-trips at its extremes")
  func roundTripsIntegers() throws {
    try roundTrip([Int.min, .max], [Int8.min, .max], [Int16.min, .max], [Int32.min, .max], [Int64.min, .max])
    try roundTrip([UInt.min, .max], [UInt8.min, .max], [UInt16.min, .max], [UInt32.min, .max], [UInt64.min, .max])
    try roundTrip([Int128.min, .max])
  }

  @Test("A number that no provider can hold is an error")
  func refusesWideIntegers() {
    #expect(throws: FlagError.self) { try FlagValue(encoding: UInt128.max) }
  }

  @Test("Fractions, text, booleans, lists, records and optionals round-trip")
  func roundTripsTheRest() throws {
    try roundTrip([0.1, -0.0, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity], [Float(0.1), .infinity])
    try roundTrip(["", "🙂 \"quoted\"\n", "null"], [true, false], [[true, false], []] as [[Bool]])
    try roundTrip(["a": [1, 2], "b": []], ["k": ["n": 1.5]], [1: "one", 2: "two"])
    try roundTrip([Int?.none, 3], [String?.none, ""], [[Int?.none, 1]])
  }

  @Test("Structures and enumerations of any depth round-trip")
  func roundTripsStructures() throws {
    let leaf = Tree(name: "leaf", kind: .deciduous, children: [], note: nil)
    let tree = Tree(name: "root", kind: .conifer, children: [leaf, leaf], note: "old")
    try roundTrip([tree, Tree(name: "root", kind: .conifer, children: [tree], note: nil)])
    try roundTrip([Shape.circle(radius: 2), .square(side: 1, isFilled: true), .none])
    try roundTrip(Nested(values: ["x": [["y": 1]]]))
  }

  @Test("Values are in the form that a document has")
  func encodes() throws {
    let tree = Tree(name: "t", kind: .conifer, children: [], note: nil)
    #expect(try FlagValue(encoding: tree) == ["name": "t", "kind": "conifer", "children": []])
    #expect(try FlagValue(encoding: Int?.none) == .null)
    #expect(try FlagValue(encoding: FlagValue.array([1, "x"])) == [1, "x"])
  }

  @Test("A dictionary whose keys are the cases of an enum is an object, both ways")
  func namesRawKeys() throws {
    enum Tier: String, Codable { case gold, free = "no-cost" }
    enum Level: Int8, Codable { case low = -1, high = 7 }
    struct Name: RawRepresentable, Codable, Hashable { var rawValue: String }
    struct Limits: Codable, Equatable { var sizes: [Tier: [Level: Int?]] }

    #expect(try FlagValue(encoding: [Tier.gold: 1, .free: 2]) == ["gold": 1, "no-cost": 2])
    #expect(try FlagValue(encoding: [Level.low: true]) == ["-1": true])
    #expect(try FlagValue(encoding: [Tier: Int]()) == [:])
    try roundTrip([Tier.gold: 1, .free: 2], [Level.low: "a", .high: "b"], [Name(rawValue: "x y"): 1.5])
    try roundTrip(Limits(sizes: [.gold: [.low: 1, .high: nil], .free: [:]]))
    let text = FlagValue.string(#"{"gold": "3"}"#)
    #expect(try text.decode(as: [Tier: String].self, textReader: { _ in ["gold": "3"] }) == [.gold: "3"])

    // What Swift itself writes.
    #expect(try FlagValue.array(["gold", 1, "no-cost", 2]).decode(as: [Tier: Int].self) == [.gold: 1, .free: 2])
    let message = "at sizes.silver: expected a raw value of Tier as name, found integer 1"
    #expect(throws: FlagError(.typeMismatch, message)) {
      try FlagValue.object(["sizes": ["silver": 1]]).decode(as: Limits.self)
    }
    for name in ["+7", "07", "300", "high", ""] {
      #expect(throws: FlagError.self) { try FlagValue.object([name: 1]).decode(as: [Level: Int].self) }
    }
  }

  @Test("A set is encoded in one order, whatever its own is")
  func ordersSets() throws {
    #expect(try FlagValue(encoding: Set(["c", "a", "b"])) == ["a", "b", "c"])
    #expect(try FlagValue(encoding: [[2]: "b", [1]: "a", [0]: "c"]) == [[0], "c", [1], "a", [2], "b"])
  }

  @Test("A subclass's super encoder round-trips")
  func roundTripsSuper() throws {
    let value = try FlagValue(encoding: Derived(base: 1, own: "x"))
    #expect(value == ["own": "x", "super": ["base": 1]])
    let read = try value.decode(as: Derived.self)
    #expect([read.base: read.own] == [1: "x"])
  }

  @Test("A value prints as compact JSON")
  func prints() {
    let value: FlagValue = ["b": [1, 2.5, .null, true], "a": "quote \" and \u{1}"]
    #expect("\(value)" == #"{"a":"quote \" and \u0001","b":[1,2.5,null,true]}"#)
  }

  private func roundTrip<each Value: Codable & Equatable>(
    _ value: repeat each Value, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for value in repeat each value {
      let encoded = try FlagValue(encoding: value)
      #expect(try encoded.decode(as: type(of: value)) == value, sourceLocation: sourceLocation)
    }
  }
}

private struct Tree: Codable, Equatable {
  var name: String
  var kind: Kind
  var children: [Tree]
  var note: String?

  enum Kind: String, Codable { case conifer, deciduous }
}

private enum Shape: Codable, Equatable {
  case circle(radius: Int)
  case square(side: Int, isFilled: Bool)
  case none
}

private struct Nested: Codable, Equatable {
  var values: [String: [[String: Int]]]
}

private class Base: Codable {
  let base: Int
  init(base: Int) { self.base = base }
}

private final class Derived: Base {
  let own: String

  init(base: Int, own: String) {
    self.own = own
    super.init(base: base)
  }

  enum CodingKeys: CodingKey { case own }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    own = try container.decode(String.self, forKey: .own)
    try super.init(from: container.superDecoder())
  }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(own, forKey: .own)
    try super.encode(to: container.superEncoder())
  }
}
