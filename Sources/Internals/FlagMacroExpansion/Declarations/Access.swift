enum Access: String {
  case `private`, `fileprivate`, `internal`, package, `public`, open
}

extension Access? {
  /// The modifier of a member that is as visible as its type, with a trailing space.
  var ofMember: String {
    switch self {
    case .public, .open: "public "
    case .package: "package "
    default: ""
    }
  }

  /// The modifier of a member that the enclosing type must see, too, with a trailing space.
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
