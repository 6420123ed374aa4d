/// A word of Swift source, as far as names and texts go.
struct SwiftToken: Equatable {
  /// What a word is.
  enum Kind: Equatable {
    /// A name or keyword.
    case name
    /// The content of a text in quotes without interpolation, escapes as they are written.
    case text
    /// Any other character but white space.
    case symbol(UInt8)
  }

  let kind: Kind
  /// Where it is in the file, without quotes.
  let range: Range<Int>
  /// The line, counted from 1.
  let line: Int
  /// The byte of the line, counted from 1, as the compiler's index counts.
  let column: Int
}

/// Reads the words of Swift source one by one; comments are none, and code inside of texts is code.
///
/// It knows no grammar. Source that is not Swift gives words, too: a text ends with its line at the latest.
struct SwiftLexer {
  private let bytes: [UInt8]
  private var offset = 0
  private var line = 1
  private var lineStart = 0
  /// The texts around the place, whose code is read.
  private var texts: [Text] = []
  /// The last byte of the word before, by which a slash is told from a regular expression.
  private var last: UInt8 = 0

  private struct Text {
    let hashes: Int
    let isMultiline: Bool
    let start: (offset: Int, line: Int, column: Int)
    var hasCode = false
    /// The parentheses that are open in its code; nil outside of code.
    var parentheses: Int?
  }

  init(_ bytes: [UInt8]) { self.bytes = bytes }
}

extension SwiftLexer {
  /// Returns the next word; nil at the end.
  mutating func next() -> SwiftToken? {
    while offset < bytes.count {
      if let text = texts.last, text.parentheses == nil {
        if let token = readText(text) { return token }
        continue
      }
      let byte = bytes[offset]
      switch byte {
      case UInt8(ascii: "\n"): newLine()
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): offset += 1
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"): skipLine()
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): skipComment()
      case UInt8(ascii: "/") where skipExpression(): last = UInt8(ascii: ")")
      case UInt8(ascii: "\""): openText(hashes: 0)
      case UInt8(ascii: "#") where hashesBeforeQuote != nil: openText(hashes: hashesBeforeQuote ?? 0)
      case _ where byte.startsName: return name()
      default: return symbol(byte)
      }
    }
    return nil
  }

  private func peek(_ distance: Int) -> UInt8? {
    offset + distance < bytes.count ? bytes[offset + distance] : nil
  }

  private mutating func newLine() {
    offset += 1
    line += 1
    lineStart = offset
  }

  private mutating func skipLine() {
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") { offset += 1 }
  }

  private mutating func skipComment() {
    var depth = 0
    while offset < bytes.count {
      switch (bytes[offset], peek(1)) {
      case (UInt8(ascii: "/"), UInt8(ascii: "*")):
        depth += 1
        offset += 2
      case (UInt8(ascii: "*"), UInt8(ascii: "/")):
        depth -= 1
        offset += 2
        if depth == 0 { return }
      case (UInt8(ascii: "\n"), _): newLine()
      default: offset += 1
      }
    }
  }

  /// Skips a regular expression: a slash where a value begins, and another one in the same line.
  private mutating func skipExpression() -> Bool {
    let starts: [UInt8] = [0] + Array("(,=:[{!&|;".utf8)
    guard starts.contains(last), let next = peek(1), next != UInt8(ascii: " "), next != UInt8(ascii: "\n") else {
      return false
    }
    var index = offset + 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\n") {
      if bytes[index] == UInt8(ascii: "/") {
        offset = index + 1
        return true
      }
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return false
  }

  private mutating func name() -> SwiftToken {
    let start = offset
    while offset < bytes.count, bytes[offset].continuesName { offset += 1 }
    last = bytes[offset - 1]
    return SwiftToken(kind: .name, range: start..<offset, line: line, column: start - lineStart + 1)
  }

  private mutating func symbol(_ byte: UInt8) -> SwiftToken {
    let token = SwiftToken(kind: .symbol(byte), range: offset..<offset + 1, line: line, column: offset - lineStart + 1)
    offset += 1
    last = byte
    if let text = texts.indices.last, let open = texts[text].parentheses {
      if byte == UInt8(ascii: "(") { texts[text].parentheses = open + 1 }
      if byte == UInt8(ascii: ")") { texts[text].parentheses = open == 1 ? nil : open - 1 }
    }
    return token
  }
}

// MARK: - Texts

extension SwiftLexer {
  /// How many number signs there are before a quote; nil where they are before none.
  private var hashesBeforeQuote: Int? {
    var count = 0
    while peek(count) == UInt8(ascii: "#") { count += 1 }
    return peek(count) == UInt8(ascii: "\"") ? count : nil
  }

  private mutating func openText(hashes: Int) {
    let column = offset - lineStart + 1
    offset += hashes
    let isMultiline = peek(1) == UInt8(ascii: "\"") && peek(2) == UInt8(ascii: "\"")
    offset += isMultiline ? 3 : 1
    texts.append(Text(hashes: hashes, isMultiline: isMultiline, start: (offset, line, column)))
  }

  /// Reads on in a text, up to its end, or to code in it.
  private mutating func readText(_ text: Text) -> SwiftToken? {
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == UInt8(ascii: "\\"), isFollowed(by: text.hashes) {
        offset += 1 + text.hashes
        if peek(0) == UInt8(ascii: "(") {
          offset += 1
          texts[texts.count - 1].hasCode = true
          texts[texts.count - 1].parentheses = 1
          last = UInt8(ascii: "(")
          return nil
        }
        if peek(0) != UInt8(ascii: "\n") { offset += 1 }
      } else if byte == UInt8(ascii: "\""), closes(text) {
        let end = offset
        offset += (text.isMultiline ? 3 : 1) + text.hashes
        return close(text, at: end)
      } else if byte == UInt8(ascii: "\n") {
        if !text.isMultiline {
          texts.removeLast()
          return nil
        }
        newLine()
      } else {
        offset += 1
      }
    }
    return nil
  }

  private mutating func close(_ text: Text, at end: Int) -> SwiftToken? {
    texts.removeLast()
    last = UInt8(ascii: "\"")
    if text.hasCode { return nil }
    return SwiftToken(
      kind: .text, range: text.start.offset..<end, line: text.start.line, column: text.start.column)
  }

  private func isFollowed(by hashes: Int) -> Bool { (0..<hashes).allSatisfy { peek($0 + 1) == UInt8(ascii: "#") } }

  private func closes(_ text: Text) -> Bool {
    let quotes = text.isMultiline ? 3 : 1
    return (0..<quotes).allSatisfy { peek($0) == UInt8(ascii: "\"") }
      && (0..<text.hashes).allSatisfy { peek(quotes + $0) == UInt8(ascii: "#") }
  }
}

extension UInt8 {
  fileprivate var startsName: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  fileprivate var continuesName: Bool { startsName || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
