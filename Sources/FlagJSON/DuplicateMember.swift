/// A member of an object that does not count, because a later one has its name.
package struct DuplicateMember: Hashable, Sendable {
  package let path: DocumentPath
  /// The count of bytes before the member's name.
  package let offset: Int
  /// The name of the member that counts.
  ///
  /// It is the same name, or one of other code points that Swift takes for the same text, as an `é` is that is written
  /// as one code point or as two. A value cannot hold members of both names.
  package let countedName: String

  /// Whether both names are the same code points.
  package var isSameName: Bool { path.last?.step == .member(countedName) }
}
