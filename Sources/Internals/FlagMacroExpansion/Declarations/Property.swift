import FlagSyntax

/// The place of some tokens in a parsed text: the line of the first, counted from 1, and their bytes.
struct Place: Equatable {
  var line: Int
  var range: Range<Int>
}

extension SourceText {
  /// Returns the place of some tokens, or else of another token.
  func place(of indices: Range<Int>?, orElse index: Int) -> Place {
    let indices = indices ?? index..<index + 1
    return Place(line: tokens[indices.lowerBound].line, range: bytes(of: indices))
  }
}

/// A stored property with one of this package's attributes, as written.
struct Property {
  var attribute: Attribute
  var access: Access?
  var name: String
  /// The name as written in code, with any backticks.
  var identifier: String
  var nameIndex: Int
  /// The token indices of the type annotation.
  var type: Range<Int>?
  var value: Range<Int>?
}
