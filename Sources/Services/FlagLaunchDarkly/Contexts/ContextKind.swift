import FlagDomain

/// The kind of the contexts that a part of a flag is about.
enum ContextKind: Sendable {
  /// The package's own user, or its visitor.
  case user
  case other(String)

  /// The name of the kind that flags are about if they name none.
  static let userName = "user"

  init(_ name: String?) {
    guard let name, !name.isEmpty, !name.isIdentical(to: Self.userName) else {
      self = .user
      return
    }
    self = .other(name)
  }

  var name: String {
    switch self {
    case .user: Self.userName
    case .other(let name): name
    }
  }
}

extension EvaluationContext {
  /// The key of the context of a kind; nil if there is no such context.
  func key(of kind: ContextKind) -> String? {
    switch kind {
    case .user: targetingKey
    case .other(let name): if case .string(let key)? = others(name)?.member("key") { key } else { nil }
    }
  }

  /// The attributes of the context of a kind that is not the user; nil if there is no such context.
  ///
  /// It comes with the user, or is an attribute of the program's own context that has a `key`: the device that an app
  /// runs on.
  func others(_ kind: String) -> [String: FlagValue]? {
    if let contexts = user?.contexts, let index = contexts.index(forKey: kind),
      contexts.keys[index].isIdentical(to: kind)
    {
      return contexts.values[index]
    }
    return attributes.member(kind)?.contextAttributes
  }

  /// The kinds of all contexts.
  var kinds: [String] {
    var kinds = targetingKey == nil ? [] : [ContextKind.userName]
    if let user { kinds += user.contexts.keys }
    for (name, value) in attributes where value.contextAttributes != nil && user?.contexts[name] == nil {
      kinds.append(name)
    }
    return kinds
  }
}

extension FlagValue {
  /// The members of an object that has a key, and so is a context; nil for any other value.
  var contextAttributes: [String: FlagValue]? {
    guard case .object(let members) = self, case .string? = members.member("key") else { return nil }
    return members
  }
}
