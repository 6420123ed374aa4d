enum Access: String {
  case `private`, `fileprivate`, `internal`, package, `public`, open
}

extension Access? {
  /// The modifier of a member that is seen as far as its type, with a space after it.
  var ofMember: String {
    switch self {
    case .public, .open: "public "
    case .package: "package "
    default: ""
    }
  }

  /// The modifier of what the enclosing type must see too, with a space after it.
  var ofSharedMember: String { self == .private || self == .fileprivate ? "fileprivate " : ofMember }

  var asWritten: String { map { "\($0.rawValue) " } ?? "" }
}

/// A modifier as it was written, such as `public` or `private(set)`.
struct Modifier {
  var text: String
  var range: Range<Int>
}

extension [Modifier] {
  var access: Access? { lazy.compactMap { Access(rawValue: $0.text) }.first }
}
