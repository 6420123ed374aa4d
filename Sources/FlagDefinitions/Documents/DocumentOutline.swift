package import FlagDomain
package import FlagJSON

/// What checking a document needs beyond what is served: every flag as it is written, and what is there twice.
package struct DocumentOutline {
  package var members: [Member] = []
  package var flags: [Flag] = []
  package var metadata: FlagValue?
  /// The members within flags, metadata and shared rules that do not count, because a later one has their name.
  package var duplicates: [DuplicateMember] = []

  package struct Member {
    package let name: String
    /// The count of bytes before its value.
    package let offset: Int
  }

  package struct Flag {
    package let key: String
    /// The count of bytes before its value.
    package let offset: Int
    /// What its entry says, or nil where that cannot be held.
    package var value: FlagValue?
  }
}
