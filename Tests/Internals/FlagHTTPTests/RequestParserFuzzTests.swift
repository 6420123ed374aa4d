import FlagHTTP
import TestSupport
import Testing

@Suite("Request parser, under fire")
struct RequestParserFuzzTests {
  /// All of them are read in a release build; without optimization it would take a minute.
  private static var inputs: Int {
    #if DEBUG
      4_000
    #else
      100_000
    #endif
  }

  @Test("Whatever comes is read or refused, the same however it was cut", arguments: 0..<4)
  func survives(seed: Int) {
    var dice = SeededGenerator(seed: UInt64(seed))
    var read = 0
    for _ in 0..<(Self.inputs / 4) {
      let input = Self.input(&dice)
      let expected = Outcome(input, cutAt: [], limits: RequestExample.limits)
      let cuts = (0..<3).map { _ in Int.random(in: 0...input.count, using: &dice) }.sorted()
      let isSame =
        Outcome(input, cutAt: cuts, limits: RequestExample.limits) == expected
        && Outcome(input, cutAt: Array(input.indices), limits: RequestExample.limits) == expected
      guard isSame, expected.isPlausible else {
        Issue.record("\(String(decoding: input, as: UTF8.self).debugDescription) cut at \(cuts): \(expected)")
        return
      }
      read += expected.requests.count
    }
    #expect(read > Self.inputs / 16, "too few inputs are requests to say anything")
  }

  /// One or more examples, some of whose bytes were changed, doubled or lost.
  private static func input(_ dice: inout SeededGenerator) -> [UInt8] {
    var bytes: [UInt8] = []
    repeat {
      let examples = Bool.random(using: &dice) ? RequestExample.accepted : RequestExample.refused
      bytes += Array(examples[Int.random(in: 0..<examples.count, using: &dice)].text.utf8)
    } while Int.random(in: 0..<3, using: &dice) == 0
    for _ in 0..<Int.random(in: 0...3, using: &dice) where !bytes.isEmpty {
      let index = Int.random(in: 0..<bytes.count, using: &dice)
      switch Int.random(in: 0..<4, using: &dice) {
      case 0: bytes[index] = special[Int.random(in: 0..<special.count, using: &dice)]
      case 1: bytes.insert(special[Int.random(in: 0..<special.count, using: &dice)], at: index)
      case 2: bytes.remove(at: index)
      default: bytes[index] = UInt8.random(in: .min ... .max, using: &dice)
      }
    }
    return bytes
  }

  private static let special = Array("\r\n\t :;,0123456789abcdefF/%?=\u{0}\u{7F}".utf8)
}

extension Outcome {
  /// Whether the parsed request has the guarantees of the parser.
  fileprivate var isPlausible: Bool {
    requests.allSatisfy { request in
      request.body.count <= RequestExample.limits.body
        && request.fields.all.count + request.trailers.all.count <= RequestExample.limits.headerCount
        && request.fields.all.allSatisfy { !$0.value.utf8.contains(0x0D) && !$0.value.utf8.contains(0x0A) }
    } && (error.map { (400...505).contains($0.status.code) } ?? true)
  }
}
