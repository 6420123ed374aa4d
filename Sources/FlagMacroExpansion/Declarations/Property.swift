import FlagSyntax

/// A stored property with one of our attributes, as it was written.
struct Property {
  /// The attribute that makes it a flag or a group.
  var attribute: Attribute
  var access: Access?
  /// The name without back-ticks.
  var name: String
  /// The name as it is in code.
  var identifier: String
  var nameIndex: Int
  /// The indices of the tokens of the type that is written after the name.
  var type: Range<Int>?
  /// The indices of the tokens of the default value.
  var value: Range<Int>?
}
