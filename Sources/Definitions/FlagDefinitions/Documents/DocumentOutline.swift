package import FlagDomain

/// The data that checking a document needs in addition to its flags: each flag's raw value.
package struct DocumentOutline {
  package var members: [Member] = []
  package var flags: [Flag] = []
  package var metadata: FlagValue?

  package struct Member {
    package let name: String
    /// The count of bytes before its value.
    package let offset: Int
  }

  package struct Flag {
    package let key: String
    /// The count of bytes before its value.
    package let offset: Int
    /// The value of its entry, or nil if it cannot be represented.
    package var value: FlagValue?
  }
}
