/// An attribute as it was written.
struct Attribute {
  /// The name without a module's.
  var name: String
  /// The indices of its tokens.
  var indices: Range<Int>
  var arguments: [Argument]

  /// One argument of an attribute.
  struct Argument {
    var label: String?
    /// The indices of the value's tokens.
    var value: Range<Int>
  }
}

extension Attribute {
  /// The first argument without a label, or nil.
  var unlabeled: Argument? { arguments.first { $0.label == nil } }

  /// The argument with a label, or nil.
  subscript(label: String) -> Argument? { arguments.first { $0.label == label } }
}
