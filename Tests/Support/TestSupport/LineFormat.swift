package import FlagDefinitions
import FlagDomain

/// A format unlike the in-house one: a flag a line, as `key = variant` or `key = variant until SECONDS` or
/// `key = variant for COUNTRY`; every flag has the variants `on` and `off`.
///
/// A flag without its time or for another country is off. A line whose variant is unknown is a malformed flag; a line
/// without `=` makes the document unreadable.
package struct LineFormat: DefinitionFormat {
  package let name = "lines"

  package init() {}

  package func read(_ text: [UInt8], of file: String?) throws(FlagDocumentError) -> any DefinitionDocument {
    var document = LineDocument()
    for (index, line) in String(decoding: text, as: UTF8.self).split(separator: "\n").enumerated() {
      let sides = line.split(separator: "=", maxSplits: 1)
      guard sides.count == 2 else {
        throw FlagDocumentError(
          diagnostics: [DocumentDiagnostic("expected \"=\", found none", line: index + 1, file: file)])
      }
      let words = sides[1].split(separator: " ")
      let flag = LineDocument.Flag(key: String(sides[0].split(separator: " ")[0]), words: words.map(String.init))
      if flag.isMalformed {
        document.diagnostics.append(
          DocumentDiagnostic("expected on or off, found \(sides[1])", line: index + 1, file: file))
      }
      document.flags.append(flag)
    }
    return document
  }
}

private struct LineDocument: DefinitionDocument {
  struct Flag: Equatable {
    let key: String
    let words: [String]

    var isMalformed: Bool { !["on", "off"].contains(words.first) }
    var isOn: Bool { words.first == "on" }
    var end: Int64? { words.count == 3 && words[1] == "until" ? Int64(words[2]) : nil }
    var country: String? { words.count == 3 && words[1] == "for" ? words[2] : nil }
  }

  var flags: [Flag] = []
  var diagnostics: [DocumentDiagnostic] = []

  var format: any DefinitionFormat { LineFormat() }

  var listed: [ListedFlag] {
    flags.map { ListedFlag(key: $0.key, variants: $0.isMalformed ? [] : [("off", false), ("on", true)]) }
  }

  func listing(of key: String) -> ListedFlag? { listed.last { $0.key == key } }

  func evaluate(
    _ key: String, in context: EvaluationContext, at seconds: @autoclosure () -> Int64
  ) throws(FlagError) -> FlagAnswer? {
    guard let flag = flags.last(where: { $0.key == key }) else { return nil }
    if flag.isMalformed { throw FlagError(.parseError, "\(key): expected on or off") }
    let isOver = flag.end.map { seconds() >= $0 } ?? false
    let isElsewhere = flag.country.map { context["countryCode"] != .string($0) } ?? false
    let isOn = flag.isOn && !isOver && !isElsewhere
    return FlagAnswer(
      .bool(isOn), variant: isOn ? "on" : "off", reason: flag.words.count > 1 ? .targetingMatch : .static)
  }

  func attributes(of key: String) -> Set<String> {
    flags.contains { $0.key == key && $0.country != nil } ? ["countryCode"] : []
  }

  func changedKeys(from older: any DefinitionDocument) -> Set<String> {
    let old = (older as? LineDocument)?.flags ?? []
    return Set(flags.filter { !old.contains($0) }.map(\.key)).union(old.filter { !flags.contains($0) }.map(\.key))
  }

  func nextInstant(after seconds: Int64) -> Int64? { flags.compactMap(\.end).filter { $0 > seconds }.min() }

  func changedKeys(after start: Int64, through end: Int64) -> Set<String> {
    Set(flags.filter { flag in flag.end.map { start < $0 && $0 <= end } ?? false }.map(\.key))
  }
}
