import FlagDomain
import FlagHTTP
import FlagSupport

/// A form as a browser sent it.
struct ConsoleForm {
  let fields: [RequestTarget.QueryItem]
  private let values: [String: String]

  init(_ body: [UInt8]) {
    fields = RequestTarget("/?\(String(decoding: body, as: UTF8.self))")?.query ?? []
    values = Dictionary(fields.map { ($0.name, $0.value) }) { first, _ in first }
  }

  subscript(name: String) -> String? { values[name] }

  /// The text from a flag's editor; nil for none.
  var entered: String? { self["none"] == nil ? self["value"] ?? "" : nil }
}

/// Text as fields of forms hold it.
extension String {
  /// The text with the line ends of Unix; browsers send forms with others.
  var withoutReturns: String {
    guard utf8.contains(0x0D) else { return self }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    var isAfterReturn = false
    for byte in utf8 {
      if byte != 0x0A || !isAfterReturn { bytes.append(byte == 0x0D ? 0x0A : byte) }
      isAfterReturn = byte == 0x0D
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text with names in place of its control characters, which no field of one line can hold: ‹U+000A›.
  var singleLine: String {
    guard utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return self }
    return spellingOut { $0.value < 0x20 || $0.value == 0x7F }
  }

  /// The text without white space at its ends.
  var trimmed: String {
    let scalars = unicodeScalars.drop { $0.properties.isWhitespace }
    let end = scalars.lastIndex { !$0.properties.isWhitespace }
    return end.map { String(scalars[...$0]) } ?? ""
  }

  /// The parts between commas that are not blank, without white space at their ends.
  var listed: [String] { split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty } }

  /// The lines that are not blank, without white space at their ends.
  var linesOfText: [String] { split(whereSeparator: \.isNewline).map { String($0).trimmed }.filter { !$0.isEmpty } }
}

/// Instants as fields for a date and a time hold them, in UTC: `2026-01-31T09:00`.
enum InstantText {
  /// Returns seconds since 1970 as text; nil beyond the years that fields have.
  static func text(of seconds: Int128) -> String? {
    Int64(exactly: seconds).flatMap { range.contains($0) ? text(of: $0) : nil }
  }

  /// Returns seconds since 1970 as text, in the years that fields have.
  static func text(of seconds: Int64) -> String {
    let text = Timestamp(secondsSince1970: seconds).description.dropLast()
    return String(text.hasSuffix(":00") ? text.dropLast(3) : text)
  }

  /// Returns the seconds since 1970 of a date, or of a date and a time.
  ///
  /// - Throws: An error that says what was expected.
  static func value(_ text: String) throws(FlagError) -> FlagValue {
    for ending in ["Z", ":00Z", "T00:00Z", "T00:00:00Z", ""] {
      if let time = Timestamp(text + ending), time.fraction.isEmpty { return .int(Int128(time.secondsSince1970)) }
    }
    let found = text.isEmpty ? "nothing" : "“\(text.shortened())”"
    throw FlagError(.general, "expected a date and a time in UTC, such as 2026-01-31T09:00, found \(found)")
  }

  /// Whether a field for a date and a time can hold a text.
  static func isInstant(_ text: String) -> Bool {
    do throws(FlagError) {
      guard case .int(let seconds) = try value(text) else { return false }
      return Self.text(of: seconds)?.isIdentical(to: text) ?? false
    } catch {
      return false
    }
  }

  /// The years 1 to 9999.
  private static let range = Int64(-62_135_596_800)..<253_402_300_800
}
