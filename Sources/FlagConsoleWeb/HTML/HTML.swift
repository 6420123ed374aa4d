import FlagDomain

/// A fragment of a page; interpolated text is escaped, so that no value can become an element or an attribute.
///
/// Attribute values must always be in quotation marks.
struct HTML: Sendable {
  private(set) var source: String

  init(text: String) { source = text.escapedForHTML }

  init(_ pieces: some Sequence<HTML>) { source = pieces.lazy.map(\.source).joined() }
}

extension HTML: ExpressibleByStringInterpolation {
  init(stringLiteral source: String) { self.source = source }
  init(stringInterpolation: StringInterpolation) { source = stringInterpolation.source }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var source = ""

    init(literalCapacity: Int, interpolationCount: Int) { source.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { source += literal }

    /// Appends a text, escaped.
    mutating func appendInterpolation(_ text: String) { source += text.escapedForHTML }

    mutating func appendInterpolation(_ number: Int) { source += String(number) }

    mutating func appendInterpolation(_ piece: HTML?) { source += piece?.source ?? "" }

    mutating func appendInterpolation(_ pieces: [HTML]) { for piece in pieces { source += piece.source } }
  }
}
