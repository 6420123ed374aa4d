import FlagDomain

/// Writes a value as JSON text, without recursion.
struct JSONWriter {
  private(set) var text: [UInt8] = []

  private let layout: JSONLayout
  private let depth: Int
  /// The unfinished arrays and objects, outermost first.
  private var levels: [Level] = []

  init(_ layout: JSONLayout, depth: Int) {
    self.layout = layout
    self.depth = depth
  }

  mutating func write(_ value: FlagValue) throws(FlagError) {
    try begin(value)
    while let level = levels.last {
      if level.index < level.parts.count { try writePart(level) } else { end(level) }
    }
    if layout != .compact { text.append(UInt8(ascii: "\n")) }
  }

  /// Writes a scalar, or begins an array or object.
  private mutating func begin(_ value: FlagValue) throws(FlagError) {
    switch value {
    case .null: text.append(contentsOf: "null".utf8)
    case .bool(let value): text.append(contentsOf: (value ? "true" : "false").utf8)
    case .int(let value): text.append(contentsOf: value.description.utf8)
    case .double(_, let numeral?): text.append(contentsOf: numeral.text.utf8)
    case .double(let value, nil):
      guard value.isFinite else { throw mismatch(expected: "a finite number, which JSON can hold", found: "\(value)") }
      text.append(contentsOf: value.description.utf8)
    case .string(let value): text.appendJSON(value)
    case .array(let elements): try begin(Level(isObject: false, parts: elements.map { ("", $0) }))
    case .object(let members):
      let parts = members.inOrder
      try begin(Level(isObject: true, parts: parts))
    }
  }

  private mutating func begin(_ level: Level) throws(FlagError) {
    guard levels.count < depth else {
      throw mismatch(expected: "at most \(depth) levels of arrays and objects", found: "more")
    }
    text.append(UInt8(ascii: level.isObject ? "{" : "["))
    levels.append(level)
  }

  /// Writes the next part of the innermost array or object, or begins it.
  private mutating func writePart(_ level: Level) throws(FlagError) {
    if level.index > 0 { text.append(UInt8(ascii: ",")) }
    if breaksLines { breakLine() }
    levels[levels.count - 1].index += 1
    let (name, value) = level.parts[level.index]
    if level.isObject {
      text.appendJSON(name)
      text.append(UInt8(ascii: ":"))
      if breaksLines { text.append(UInt8(ascii: " ")) }
    }
    try begin(value)
  }

  private mutating func end(_ level: Level) {
    let breaksLines = breaksLines && level.index > 0
    levels.removeLast()
    if breaksLines { breakLine() }
    text.append(UInt8(ascii: level.isObject ? "}" : "]"))
  }

  /// Whether each part of the innermost level has its own line.
  private var breaksLines: Bool {
    switch layout {
    case .compact: false
    case .indented: true
    case .lines: levels.count == 1
    }
  }

  private mutating func breakLine() {
    text.append(UInt8(ascii: "\n"))
    text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * levels.count))
  }

  private func mismatch(expected: String, found: String) -> FlagError {
    FlagError(.typeMismatch, "\(DocumentPath(levels.map(\.step))): expected \(expected), found \(found)")
  }

  /// An array or an object that is partly written.
  private struct Level {
    let isObject: Bool
    /// The members, or elements without names.
    let parts: [(key: String, value: FlagValue)]
    /// The number of parts that are written or begun.
    var index = 0

    /// The step to the part that was begun last.
    var step: DocumentPath.Step { isObject ? .member(parts[index - 1].key) : .element(index - 1) }
  }
}

extension [UInt8] {
  /// Appends a string in quotation marks, with only those escapes that RFC 8259, section 7, requires.
  mutating func appendJSON(_ string: String) {
    append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(contentsOf: [UInt8(ascii: "\\"), byte])
      case UInt8(ascii: "\n"): append(contentsOf: #"\n"#.utf8)
      case UInt8(ascii: "\r"): append(contentsOf: #"\r"#.utf8)
      case UInt8(ascii: "\t"): append(contentsOf: #"\t"#.utf8)
      case ..<0x20: append(contentsOf: #"\u00\#(byte < 0x10 ? "0" : "")\#(String(byte, radix: 16))"#.utf8)
      default: append(byte)
      }
    }
    append(UInt8(ascii: "\""))
  }
}
