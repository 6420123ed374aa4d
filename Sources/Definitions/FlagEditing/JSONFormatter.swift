package import FlagDomain
import FlagJSON

/// Lays out JSON texts for reading; names, numbers and strings stay as they are written, in their order.
///
/// An array or object that fits on its line stays there. Any other has its parts on lines of their own, except for a
/// single one inside it: `{"if": [` begins one level, not two. Time is proportional to the text.
package struct JSONFormatter {
  private let text: [UInt8]
  private let width: Int
  private var tokens: [Token] = []
  private var result: [UInt8] = []
  /// The column of the end of the result, counted from zero.
  private var column = 0

  /// Lays a text out.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - width: The number of columns that lines should have at most.
  /// - Returns: The text laid out, without a line end after it.
  /// - Throws: A parse error with line and column if the text is not JSON.
  package static func laidOut(_ text: String, width: Int = 80) throws(FlagError) -> String {
    let bytes = Array(text.utf8)
    do throws(JSONError) {
      try JSONReader.read(bytes) { reader throws(JSONError) in try reader.finish() }
    } catch {
      throw FlagError(error, in: bytes)
    }
    var formatter = JSONFormatter(text: bytes, width: width)
    formatter.readTokens()
    formatter.write()
    return String(decoding: formatter.result, as: UTF8.self)
  }

  private init(text: [UInt8], width: Int) {
    self.text = text
    self.width = width
  }

  private struct Token {
    enum Kind {
      case opening, closing, comma, colon, scalar
    }

    let kind: Kind
    let range: Range<Int>
    /// The number of columns that it needs on one line, and those inside it if it opens an array or object.
    var columns: Int
    /// The index of the token that closes what this one opens.
    var end = 0
    var hasOnePart = true
  }

  private mutating func readTokens() {
    var open: [Int] = []
    var (offset, total) = (text.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0, 0)
    while offset < text.count {
      if " \t\r\n".utf8.contains(text[offset]) {
        offset += 1
        continue
      }
      var token = token(at: offset)
      offset = token.range.upperBound
      let before = total
      total += token.columns
      switch token.kind {
      case .opening:
        open.append(tokens.count)
        token.columns = before
      case .closing:
        guard let start = open.popLast() else { return }  // never, in a text that was read
        tokens[start].columns = total - tokens[start].columns
        tokens[start].end = tokens.count
      case .comma: if let start = open.last { tokens[start].hasOnePart = false }
      case .colon, .scalar: break
      }
      tokens.append(token)
    }
  }

  private func token(at offset: Int) -> Token {
    func sign(_ kind: Token.Kind, columns: Int) -> Token {
      Token(kind: kind, range: offset..<offset + 1, columns: columns)
    }
    switch text[offset] {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return sign(.opening, columns: 1)
    case UInt8(ascii: "}"), UInt8(ascii: "]"): return sign(.closing, columns: 1)
    case UInt8(ascii: ","): return sign(.comma, columns: 2)
    case UInt8(ascii: ":"): return sign(.colon, columns: 2)
    default:
      let range = offset..<scalarEnd(from: offset)
      return Token(kind: .scalar, range: range, columns: text[range].count { $0 & 0xc0 != 0x80 })
    }
  }

  private func scalarEnd(from start: Int) -> Int {
    var end = start + 1
    if text[start] == UInt8(ascii: "\"") {
      while end < text.count, text[end] != UInt8(ascii: "\"") { end += text[end] == UInt8(ascii: "\\") ? 2 : 1 }
      return min(end + 1, text.count)
    }
    while end < text.count, !",:]} \t\r\n".utf8.contains(text[end]) { end += 1 }
    return end
  }

  private mutating func write() {
    /// Whether each of the unfinished arrays and objects has its parts on lines of their own.
    var areBroken: [Bool] = []
    var indentation = 0
    var lineEnd = 0  // of what fits on the line
    for (index, token) in tokens.enumerated() {
      if index < lineEnd {
        append(token)
        continue
      }
      switch token.kind {
      case .opening where token.end == index + 1 || column + token.columns <= width: lineEnd = token.end + 1
      case .opening: areBroken.append(!hugs(index))
      case .closing:
        if areBroken.popLast() == true {
          indentation -= 2
          breakLine(indentation)
        }
      case .comma, .colon, .scalar: break
      }
      append(token)
      guard index >= lineEnd else { continue }
      if token.kind == .opening, areBroken.last == true { indentation += 2 }
      if token.kind == .comma || token.kind == .opening && areBroken.last == true { breakLine(indentation) }
    }
  }

  /// Returns whether an array or object has one part, which is an array or object.
  private func hugs(_ index: Int) -> Bool {
    let isObject = text[tokens[index].range.lowerBound] == UInt8(ascii: "{")
    return tokens[index].hasOnePart && tokens[index + (isObject ? 3 : 1)].kind == .opening
  }

  private mutating func append(_ token: Token) {
    result += text[token.range]
    column += token.kind == .opening ? 1 : token.columns
    if token.kind == .comma || token.kind == .colon { result.append(UInt8(ascii: " ")) }
  }

  private mutating func breakLine(_ indentation: Int) {
    if result.last == UInt8(ascii: " ") { result.removeLast() }
    result.append(UInt8(ascii: "\n"))
    result += repeatElement(UInt8(ascii: " "), count: indentation)
    column = indentation
  }
}
