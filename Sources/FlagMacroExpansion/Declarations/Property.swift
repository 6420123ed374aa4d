import FlagSyntax

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
