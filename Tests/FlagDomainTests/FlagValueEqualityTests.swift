import FlagDomain
import Testing

@Suite("Equality of flag values")
struct FlagValueEqualityTests {
  @Test("Strings are identical where all bytes are, however long they are and wherever one differs")
  func identicalStrings() {
    for count in 0...40 {
      let text = String((0..<count).map { _ in Character("a") })
      #expect(text.isIdentical(to: String(repeating: "a", count: count)))
      #expect(!text.isIdentical(to: text + "a"))
      for place in 0..<count {
        let other = text.prefix(place) + "b" + text.dropFirst(place + 1)
        #expect(!text.isIdentical(to: String(other)), "\(place) of \(count)")
      }
    }
    #expect(!"\u{e9}".isIdentical(to: "e\u{301}"))
  }

  @Test(
    "Values are equal by code points and by what numbers denote",
    arguments: [
      ("caf\u{e9}", "cafe\u{301}", false), ("caf\u{e9}", "caf\u{e9}", true), (.double(.nan), .double(.nan), true),
      (.double(.nan), 1.5, false), (0.0, -0.0, true), (1, 1.0, false), (.null, false, false),
      (["caf\u{e9}"], ["cafe\u{301}"], false), ([.double(.nan)], [.double(.nan)], true), ([1], [1, 2], false),
      (["caf\u{e9}": 1], ["cafe\u{301}": 1], false), (["a": 1], ["a": 1], true), (["a": 1], ["a": 2], false),
      (["a": 1], ["b": 1], false), ([:], [], false),
    ] as [(FlagValue, FlagValue, Bool)])
  func equates(left: FlagValue, right: FlagValue, areEqual: Bool) {
    #expect((left == right) == areEqual)
    #expect((right == left) == areEqual)
    if areEqual { #expect(left.hashValue == right.hashValue) }
  }

  @Test("Users and contexts are equal by code points")
  func equatesUsers() {
    func user(_ text: String) -> [FlagUser] {
      [
        FlagUser(id: text), FlagUser(id: "1", countryCode: text), FlagUser(id: "1", segments: [text]),
        FlagUser(id: "1", attributes: ["name": text]), FlagUser(id: "1", attributes: [text: 1]),
      ]
    }
    let (composed, decomposed) = (user("caf\u{e9}"), user("cafe\u{301}"))
    #expect(zip(composed, decomposed).allSatisfy { $0 != $1 })
    #expect(zip(composed, user("caf\u{e9}")).allSatisfy { $0 == $1 })
    #expect(EvaluationContext(anonymousID: "caf\u{e9}") != EvaluationContext(anonymousID: "cafe\u{301}"))
  }

  @Test("Any two indistinguishable values are equal")
  func findsSame() {
    struct Point: Codable, Equatable, Sendable {
      var x: Double
      var name: String
    }
    struct Plain: Sendable {}
    #expect(areSame(Double.nan, Double.nan))
    #expect(!areSame("caf\u{e9}", "cafe\u{301}"))
    #expect(areSame([Double.nan, 1], [Double.nan, 1]))
    #expect(!areSame([Double.nan, 1], [Double.nan, 2]))
    #expect(!areSame(Point(x: .nan, name: "a"), Point(x: .nan, name: "b")))
    #expect(areSame(Point(x: .nan, name: "a"), Point(x: .nan, name: "a")))
    #expect(!areSame(Point(x: 1, name: "caf\u{e9}"), Point(x: 1, name: "cafe\u{301}")))
    #expect(areSame(Int?.none, Int?.none))
    #expect(!areSame(Plain(), Plain()))
  }

  @Test("Equal sets and dictionaries are the same, in whatever order they are encoded")
  func findsSameSets() {
    struct Holder: Codable, Sendable { var tags: [Set<String>] }
    struct Bag: Codable, Equatable, Sendable {
      var items: [Int]
      static func == (left: Self, right: Self) -> Bool { left.items.sorted() == right.items.sorted() }
    }
    let words = (0..<20).map { "w\($0)" }
    for _ in 0..<10 {
      let (one, other) = (Set(words.shuffled()), Set(words.shuffled().prefix(0) + words.reversed()))
      var grown = Set<String>(minimumCapacity: .random(in: 1...1_000))
      grown.formUnion(words.shuffled())
      #expect(areSame(one, other) && areSame(one, grown) && areSame(Optional(one), grown))
      #expect(areSame(["a": one], ["a": grown]))
      #expect(areSame(Holder(tags: [one]), Holder(tags: [grown])))
      #expect(!areSame(Holder(tags: [one]), Holder(tags: [grown.union(["x"])])))
      #expect(!areSame(one, grown.union(["x"])))
      var places: [[Int]: String] = Dictionary(minimumCapacity: .random(in: 1...1_000))
      for number in (0..<20).shuffled() { places[[number]] = "v\(number)" }
      #expect(areSame(places, Dictionary(uniqueKeysWithValues: (0..<20).map { ([$0], "v\($0)") })))
      places[[3]] = "v4"
      #expect(!areSame(places, Dictionary(uniqueKeysWithValues: (0..<20).map { ([$0], "v\($0)") })))
    }
    #expect(areSame(Bag(items: [1, 2]), Bag(items: [2, 1])))
    #expect(!areSame([1, 2], [2, 1]))
    #expect(!areSame(["caf\u{e9}", "x"] as Set, ["x", "cafe\u{301}"]))
  }
}

@Suite("Equality of flags")
struct FlagEqualityTests {
  @Test("Flags are equal where key, default and metadata are, and identified by their keys")
  func equatesFlags() {
    let flag = Flag("equal", default: 1, "One.")
    #expect(flag == Flag("equal", default: 1, "One."))
    #expect(Set([flag, Flag("equal", default: 1, "One.")]).count == 1)
    #expect(flag != Flag("equal", default: 2, "One."))
    #expect(flag != Flag("other", default: 1, "One."))
    #expect(flag != Flag("equal", default: 1, "Two."))
    #expect(flag != Flag("equal", default: 1, "One.") { _ in 1 })
    #expect(flag.id == "equal")
  }

  @Test("Flags of a set are equal where their values are, too")
  func equatesBoundFlags() {
    struct Fixed: FeatureFlagManager {
      let number: Int
      func variation<F: FeatureFlag>(for flag: F) -> F.Value { number as? F.Value ?? flag.defaultValue }
    }
    let flag = Flag("equal", default: 1, "")
    #expect(BoundFlag(flag, in: Fixed(number: 1)) == BoundFlag(flag, in: Fixed(number: 1)))
    #expect(BoundFlag(flag, in: Fixed(number: 1)) != BoundFlag(flag, in: Fixed(number: 2)))
    #expect(BoundFlag(flag, in: Fixed(number: 1)).id == "equal")
  }
}
