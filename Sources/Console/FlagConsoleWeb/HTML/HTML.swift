import FlagSupport

/// A fragment of a page; interpolated text is escaped, so that no value can become an element or an attribute.
///
/// Attribute values must always be in quotation marks. Text is shown with its bidirectional controls spelled out.
/// Values that a form sends back must be interpolated as `exact`.
struct HTML: Sendable {
  private(set) var source: String

  init(_ pieces: some Sequence<HTML>) { source = pieces.lazy.map(\.source).joined() }
}

extension HTML: ExpressibleByStringInterpolation {
  init(stringLiteral source: String) { self.source = source }
  init(stringInterpolation: StringInterpolation) { source = stringInterpolation.source }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var source = ""

    init(literalCapacity: Int, interpolationCount: Int) { source.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { source += literal }

    /// Appends a text for people, escaped.
    mutating func appendInterpolation(_ text: String) { source += text.spellingOutControls.escapedForHTML }

    /// Appends a text that a form sends back, escaped and otherwise unchanged.
    mutating func appendInterpolation(exact text: String) { source += text.escapedForHTML }

    mutating func appendInterpolation(_ number: Int) { source += String(number) }

    mutating func appendInterpolation(_ piece: HTML?) { source += piece?.source ?? "" }

    mutating func appendInterpolation(_ pieces: [HTML]) { for piece in pieces { source += piece.source } }
  }
}

extension String {
  /// The text with names in place of bidirectional controls, which change the order of what follows: ‹U+202E›.
  fileprivate var spellingOutControls: String {
    // All of them begin with one of these bytes in UTF-8.
    guard utf8.contains(where: { $0 == 0xE2 || $0 == 0xD8 }), unicodeScalars.contains(where: \.isBidirectionalControl)
    else { return self }
    return spellingOut(\.isBidirectionalControl)
  }

  /// Returns the text with names in place of some scalars: ‹U+202E›.
  func spellingOut(_ isNamed: (Unicode.Scalar) -> Bool) -> String {
    var text = ""
    for scalar in unicodeScalars {
      if isNamed(scalar) {
        text += "‹U+\(String(scalar.value.hexDigits.suffix(4)).uppercased())›"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// Returns the text, or its beginning with an ellipsis if it is longer than a number of Unicode scalars.
  func shortened(to length: Int = 120) -> String {
    let beginning = unicodeScalars.prefix(length)
    return beginning.endIndex == endIndex ? self : "\(String(beginning))…"
  }
}

extension Unicode.Scalar {
  fileprivate var isBidirectionalControl: Bool {
    switch value {
    case 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
