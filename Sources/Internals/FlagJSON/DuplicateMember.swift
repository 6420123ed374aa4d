/// An ignored member of an object, because a later one has its name.
package struct DuplicateMember: Hashable, Sendable {
  package let path: DocumentPath
  /// The count of bytes before the member's name.
  package let offset: Int
  /// The name of the member that counts.
  ///
  /// It is the same name, or one with other code points that Swift considers equal, such as an `é` that is written as
  /// one code point or as two. A value cannot hold both members.
  package let countedName: String

  /// Whether both names have the same code points.
  package var isSameName: Bool { path.last?.step == .member(countedName) }
}
