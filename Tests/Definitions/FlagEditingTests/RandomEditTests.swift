import FlagDomain
import FlagEditing
import FlagJSON
import FlagReview
import TestSupport
import Testing

@Suite("Editing flags of random documents")
struct RandomEditTests {
  @Test("An edit changes no byte outside of its flag, and its opposite gives the same bytes")
  func keepsBytes() throws {
    var random = SeededGenerator(seed: 30)
    for _ in 0..<Effort.rounds(120, long: 20_000) {
      let text = RandomText.document(using: &random)
      let editor = try JSONEditor(text)
      let hasFlag = editor.range(of: DocumentPath.root.appending("flags").appending("f1")) != nil
      let pairs = hasFlag ? Self.pairs.map { $0("f1") } : []
      for edits in [[DefinitionEdit.make(NewFlag("new")), .delete("new")]] + pairs {
        let edited = try edits[0].applying(to: text)
        #expect(edited != text)
        try expectSame(text, edited, outside: edits[0].keys[0])
        if edits.count > 1 { #expect(try edits[1].applying(to: edited) == text, "\(edits) \(text.text)") }
      }
    }
  }

  /// Edits of a flag, some with their opposites.
  private static let pairs: [@Sendable (String) -> [DefinitionEdit]] = [
    { [.copy($0, to: "new"), .delete("new")] },
    { [.rename($0, to: "new"), .rename("new", to: $0)] },
    { [.retire($0, gone: "2027-01-31")] },
    { [.addVariant(FlagVariant("new", 7), of: $0), .removeVariant("new", of: $0, replacement: nil)] },
    { [.setVariant(FlagVariant("on", 7), of: $0), .setVariant(FlagVariant("on", 1), of: $0)] },
    {
      [
        .renameVariant("on", to: "né w", of: $0, rewritesUses: true),
        .renameVariant("né w", to: "on", of: $0, rewritesUses: true),
      ]
    },
    { [.removeVariant("off", of: $0, replacement: "on")] },
    { [.setMetadata("new", "x", of: $0), .setMetadata("new", nil, of: $0)] },
  ]

  /// Expects the text before and after a flag, which may be new or gone, in the new text.
  private func expectSame(_ old: [UInt8], _ new: [UInt8], outside key: String) throws {
    let (before, after) = (try JSONEditor(old), try JSONEditor(new))
    let flags = DocumentPath.root.appending("flags")
    for name in before.names(in: flags) where ![key, "f1"].contains(name) {
      #expect(before.source(of: flags.appending(name)) == after.source(of: flags.appending(name)))
    }
    let (left, right) = (try #require(before.range(of: flags)), try #require(after.range(of: flags)))
    #expect(old[..<left.lowerBound] == new[..<right.lowerBound])
    #expect(old[left.upperBound...] == new[right.upperBound...])
  }
}

/// Documents in layouts that people and tools write.
private enum RandomText {
  static func document(using random: inout SeededGenerator) -> [UInt8] {
    let line = [" ", "\n  ", "\n\t", "\n\n    ", ""].randomElement(using: &random) ?? ""
    let colon = [": ", ":", " : "].randomElement(using: &random) ?? ""
    var members: [String] = []
    for number in 0..<Int.random(in: 0..<5, using: &random) {
      members.append("\"f\(number)\"\(colon)\(flag(colon, using: &random))")
    }
    let comma = ",\(line)"
    let flags = members.isEmpty ? "{}" : "{\(line)\(members.joined(separator: comma))\(line)}"
    var parts = ["\"flags\"\(colon)\(flags)", "\"$evaluators\"\(colon){\"e\":{\"==\":[1,2]}}", "\"x\"\(colon)[1,{ }]"]
    parts.shuffle(using: &random)
    return Array("{\(line)\(parts.joined(separator: comma))\(line)}\n".utf8)
  }

  private static func flag(_ colon: String, using random: inout SeededGenerator) -> String {
    let line = [" ", "\n    ", "\n\t\t", ""].randomElement(using: &random) ?? ""
    var members = [
      "\"state\"\(colon)\"ENABLED\"", "\"variants\"\(colon){\(line)\"on\"\(colon)1,\(line)\"off\"\(colon)2.50\(line)}",
      "\"note\"\(colon)[ 1e0 ,\"\\u00e9\"]",
    ]
    if Bool.random(using: &random) { members.append("\"defaultVariant\"\(colon)\"on\"") }
    if Bool.random(using: &random) { members.append("\"metadata\"\(colon){\"owner\"\(colon)\"me\"}") }
    if Bool.random(using: &random) { members.append("\"targeting\"\(colon)\(rule(line, using: &random))") }
    members.shuffle(using: &random)
    return "{\(line)\(members.joined(separator: ",\(line)"))\(line)}"
  }

  private static func rule(_ line: String, using random: inout SeededGenerator) -> String {
    let shares = #"{"fractional":[\#(line)["on",10],\#(line)["off" , 90]]}"#
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return shares
    case 1: return #"{\#(line)"if":[\#(line){"in":[{"var":"c"},["on","x"]]},"on",\#(shares),\#(line)"off"]}"#
    case 2: return #"{"if":[{"$ref":"e"},{"if":[{"var":"d"}, "on" ,"off"]},null]}"#
    default: return #"{"or":[{"and":[{"var":"e"},"on"]},\#(line)"off"]}"#
    }
  }
}

extension [UInt8] {
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
