/// A position in a text, which moves forward.
struct TextCursor {
  private let scalars: [Unicode.Scalar]
  private var index = 0
  /// The distance from the start of the text, in bytes of UTF-8.
  private(set) var offset = 0

  init(_ text: String) { scalars = Array(text.unicodeScalars) }
}

extension TextCursor {
  /// The scalar at the position, or nil at the end.
  var next: Unicode.Scalar? { peek(0) }

  /// The scalar before the position, or nil at the start.
  var previous: Unicode.Scalar? { peek(-1) }

  /// Returns the scalar at a distance, or nil outside the text.
  func peek(_ distance: Int) -> Unicode.Scalar? {
    scalars.indices.contains(index + distance) ? scalars[index + distance] : nil
  }

  /// Returns whether the rest starts with a string.
  func follows(_ text: String) -> Bool { scalars[index...].starts(with: text.unicodeScalars) }

  /// Returns how many of a scalar are here in a row.
  func count(of scalar: Unicode.Scalar) -> Int { scalars[index...].prefix { $0 == scalar }.count }

  /// Returns the text between an earlier position and this one.
  func text(since start: TextCursor) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[start.index..<index])
    return String(text)
  }

  /// Moves over scalars, or to the end.
  mutating func skip(_ count: Int) {
    for scalar in scalars[index...].prefix(count) { offset += UTF8.width(scalar) }
    index = min(index + count, scalars.count)
  }

  /// Moves over scalars for as long as they belong.
  mutating func skip(while belongs: (Unicode.Scalar) -> Bool) {
    while let next, belongs(next) { skip(1) }
  }
}
