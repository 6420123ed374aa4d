/// A modifier as it was written, such as `public` or `private(set)`.
struct Modifier {
  var text: String
  var range: Range<Int>
}

extension [Modifier] {
  /// The access level among modifiers, or nil.
  var access: Access? { lazy.compactMap { Access(rawValue: $0.text) }.first }
}
