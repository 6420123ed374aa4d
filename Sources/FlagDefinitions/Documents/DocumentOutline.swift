package import FlagDomain
package import FlagJSON

/// What checking a document needs beyond what is served: every flag as it is written, and what is there twice.
package struct DocumentOutline {
  /// The outermost members, in the order of the text.
  package var members: [Member] = []
  /// The flags, in the order of the text.
  package var flags: [Flag] = []
  /// The document's metadata.
  package var metadata: FlagValue?
  /// The members within flags, metadata and shared rules that do not count, because a later one has their name.
  package var duplicates: [DuplicateMember] = []

  /// An outermost member.
  package struct Member {
    package let name: String
    /// The count of bytes before its value.
    package let offset: Int
  }

  /// A flag as it is written.
  package struct Flag {
    package let key: String
    /// The count of bytes before its value.
    package let offset: Int
    /// What its entry says, or nil where that cannot be held.
    package var value: FlagValue?
  }
}
