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
      if level.index < level.parts.count {
        try writePart(level)
      } else {
        end(level)
      }
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
    case .array(let elements): try begin(.elements(elements))
    case .object(let members):
      try begin(.members(members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }))
    }
  }

  private mutating func begin(_ parts: Level.Parts) throws(FlagError) {
    guard levels.count < depth else {
      throw mismatch(expected: "at most \(depth) levels of arrays and objects", found: "more")
    }
    text.append(parts.opening)
    levels.append(Level(parts: parts))
  }

  /// Writes the next part of the innermost array or object, or begins it.
  private mutating func writePart(_ level: Level) throws(FlagError) {
    if level.index > 0 { text.append(UInt8(ascii: ",")) }
    if breaksLines { breakLine() }
    levels[levels.count - 1].index += 1
    switch level.parts {
    case .elements(let elements): try begin(elements[level.index])
    case .members(let members):
      text.appendJSON(members[level.index].key)
      text.append(UInt8(ascii: ":"))
      if breaksLines { text.append(UInt8(ascii: " ")) }
      try begin(members[level.index].value)
    }
  }

  private mutating func end(_ level: Level) {
    let breaksLines = breaksLines && level.index > 0
    levels.removeLast()
    if breaksLines { breakLine() }
    text.append(level.parts.closing)
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
  fileprivate struct Level {
    enum Parts {
      case elements([FlagValue])
      case members([(key: String, value: FlagValue)])
    }

    let parts: Parts
    /// The number of parts that are written or begun.
    var index = 0

    /// The step to the part that was begun last.
    var step: DocumentPath.Step {
      switch parts {
      case .elements: .element(index - 1)
      case .members(let members): .member(members[index - 1].key)
      }
    }
  }
}

extension JSONWriter.Level.Parts {
  var count: Int {
    switch self {
    case .elements(let elements): elements.count
    case .members(let members): members.count
    }
  }

  var opening: UInt8 {
    switch self {
    case .elements: UInt8(ascii: "[")
    case .members: UInt8(ascii: "{")
    }
  }

  var closing: UInt8 { opening + 2 }  // in ASCII, each closing bracket is the second character after its opening one
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
