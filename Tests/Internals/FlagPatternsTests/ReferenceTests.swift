import FlagPatterns
import TestSupport
import Testing

@Suite("Patterns beside their definition", .computing)
struct ReferenceTests {
  @Test("Random patterns are found in the texts in which, by the definition of their parts, they are")
  func agrees() throws {
    var random = SeededGenerator(seed: 29)
    for _ in 0..<Effort.rounds(1_000, thorough: 5_000, long: 50_000) {
      let part = Part.random(depth: 4, &random)
      let pattern = try Pattern(part.text)
      for _ in 0..<5 {
        let length = Int.random(in: 0..<9, using: &random)
        let sample = (0..<length).map { _ in Unicode.Scalar("abAé →_"[Int.random(in: 0..<7, using: &random)]) }
        let isFound = (0...length).contains { !part.ends(from: [$0], in: sample).isEmpty }
        let text = String(String.UnicodeScalarView(sample))
        #expect(pattern.matches(text) == isFound, "\(part.text) in \(text)")
      }
    }
  }
}

extension String {
  fileprivate subscript(index: Int) -> Unicode.Scalar { Array(unicodeScalars)[index] }
}

/// A part of a pattern, defined by the places at which it ends if it starts at others.
private indirect enum Part {
  case one(String, String)
  case place(String)
  case sequence([Part])
  case either(Part, Part)
  case times(Part, String, Int, Int)

  var text: String {
    switch self {
    case .one(let text, _), .place(let text): text
    case .sequence(let parts): parts.map(\.text).joined()
    case .either(let first, let second): "(\(first.text)|\(second.text))"
    case .times(let part, let counts, _, _): "(?:\(part.text))\(counts)"
    }
  }

  func ends(from starts: Set<Int>, in text: [Unicode.Scalar]) -> Set<Int> {
    switch self {
    case .one(_, let members):
      Set(starts.filter { $0 < text.count && members.unicodeScalars.contains(text[$0]) }.map { $0 + 1 })
    case .place(let name): starts.filter { Self.holds(name, at: $0, in: text) }
    case .sequence(let parts): parts.reduce(starts) { $1.ends(from: $0, in: text) }
    case .either(let first, let second): first.ends(from: starts, in: text).union(second.ends(from: starts, in: text))
    case .times(let part, _, let minimum, let maximum):
      (0..<maximum).reduce((minimum == 0 ? starts : [], starts)) { sets, count in
        let next = part.ends(from: sets.1, in: text)
        return (count + 1 >= minimum ? sets.0.union(next) : sets.0, next)
      }.0
    }
  }

  private static func holds(_ name: String, at place: Int, in text: [Unicode.Scalar]) -> Bool {
    let word = "abA_".unicodeScalars
    let isBefore = place > 0 && word.contains(text[place - 1])
    let isAfter = place < text.count && word.contains(text[place])
    return switch name {
    case "^": place == 0
    case "$": place == text.count
    case #"\b"#: isBefore != isAfter
    default: isBefore == isAfter
    }
  }

  static func random(depth: Int, _ random: inout SeededGenerator) -> Part {
    let ones: [Part] = [
      .one("a", "a"), .one("b", "b"), .one("A", "A"), .one("→", "→"), .one(".", "abAé →_"), .one("[a-b]", "ab"),
      .one("[^aé]", "bA →_"), .one(#"\w"#, "abA_"), .one(#"\W"#, "é →"), .one(#"\s"#, " "), .one("(?i:a)", "aA"),
      .place("^"), .place("$"), .place(#"\b"#), .place(#"\B"#), .sequence([]),
    ]
    let counts: [(String, Int, Int)] = [
      ("*", 0, 9), ("+", 1, 9), ("?", 0, 1), ("*?", 0, 9), ("{2}", 2, 2), ("{1,2}?", 1, 2), ("{0,3}", 0, 3),
      ("{2,}", 2, 11),
    ]
    var part: Part { Self.random(depth: depth - 1, &random) }
    switch depth == 0 ? 0 : Int.random(in: 0..<6, using: &random) {
    case 0, 1: return ones.randomElement(using: &random) ?? .sequence([])
    case 2: return .sequence([part, part, part])
    case 3: return .either(part, part)
    default:
      let times = counts.randomElement(using: &random) ?? ("?", 0, 1)
      return .times(part, times.0, times.1, times.2)
    }
  }
}
