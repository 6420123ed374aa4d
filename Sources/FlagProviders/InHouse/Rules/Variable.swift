import FlagDomain

/// The name of a value in the data: the way to it, split at the dots.
///
/// It is an object, so that an evaluation takes hold of it without copying its parts.
final class Variable: Sendable {
  /// The first name; nil for the whole data.
  let first: String?
  /// What the first name means in a context; nil for the whole data, and for what rules see beside the context.
  let attribute: ContextAttribute?
  /// The names after the first.
  let rest: [String]
  /// What stands for the value where the data has none.
  let fallback: Rule?

  /// Creates a variable from a name as rules write it.
  init(_ name: String, fallback: Rule? = nil) {
    self.fallback = fallback
    let names = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    first = name.isEmpty ? nil : names[0]
    attribute = first.flatMap { $0 == Reserved.name ? nil : ContextAttribute($0) }
    rest = name.isEmpty ? [] : Array(names.dropFirst())
  }
}

extension Variable {
  /// What rules see beside the context, and under which names.
  enum Reserved {
    static let name = "$flagd"
    static let flagKey = "flagKey"
    static let timestamp = "timestamp"
  }

  /// Whether the time is, or is a part of, what the variable names in the context.
  var includesTime: Bool {
    guard let first else { return true }
    return first == Reserved.name && (rest.isEmpty || rest.first == Reserved.timestamp)
  }
}

extension Variable: Equatable {
  static func == (left: Variable, right: Variable) -> Bool {
    left === right || left.first == right.first && left.rest == right.rest && left.fallback == right.fallback
  }
}

extension Variable: CustomStringConvertible {
  var description: String { first.map { ([$0] + rest).joined(separator: ".") } ?? "" }
}
