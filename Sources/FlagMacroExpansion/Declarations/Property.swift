import FlagSyntax

/// A stored property with one of our attributes, as it was written.
struct Property {
  var attribute: Attribute
  var access: Access?
  var name: String
  /// The name as it is in code.
  var identifier: String
  var nameIndex: Int
  /// The indices of the tokens of the type that is written after the name.
  var type: Range<Int>?
  var value: Range<Int>?
}
