public import FlagDomain

extension EvaluationContext {
  /// Creates a context from LaunchDarkly's JSON for it: of one kind, of several, or of a user from before there were
  /// kinds.
  ///
  /// The user becomes the package's, with the others as its contexts; without a user, the others are attributes. The
  /// key of a context may be its `targetingKey`, as LaunchDarkly's providers for OpenFeature take it.
  ///
  /// - Throws: A `FlagError` with the code `INVALID_CONTEXT` for a value that LaunchDarkly's SDKs refuse.
  public init(launchDarkly value: FlagValue) throws(FlagError) {
    guard case .object(let members) = value else {
      throw FlagError(.invalidContext, "expected an object, found \(value.summary)")
    }
    switch members["kind"] {
    case nil: self.init(Self.legacy(members), others: [:])
    case "multi":
      var others: [String: [String: FlagValue]] = [:]
      // OpenFeature's contexts have a targeting key, which is of none of the kinds.
      for (kind, value) in members where kind != "kind" && kind != EvaluationContext.targetingKeyName {
        guard case .object(let members) = value else {
          throw FlagError(.invalidContext, "\(kind): expected an object, found \(value.summary)")
        }
        others[kind] = try Self.checked(members, kind: kind)
      }
      guard !others.isEmpty else { throw FlagError(.invalidContext, "expected contexts by their kinds, found none") }
      let user = others.removeValue(forKey: ContextKind.userName)
      self.init(user, others: others)
    case .string(let kind)?:
      let members = try Self.checked(members, kind: kind)
      let isUser = kind == ContextKind.userName
      self.init(isUser ? members : nil, others: isUser ? [:] : [kind: members])
    case let kind?: throw FlagError(.invalidContext, "kind: expected a string, found \(kind.summary)")
    }
    if user == nil, members["kind"] == nil { throw FlagError(.invalidContext, "key: expected a string, found none") }
  }

  private init(_ user: [String: FlagValue]?, others: [String: [String: FlagValue]]) {
    guard var attributes = user, case .string(let key)? = attributes.removeValue(forKey: "key") else {
      self.init(attributes: others.mapValues(FlagValue.object))
      return
    }
    // A user's own segments hide an attribute of that name.
    let segments = attributes["segments"]?.elements?.compactMap(\.text) ?? []
    self.init(user: FlagUser(id: key, segments: segments, attributes: attributes, contexts: others))
  }

  /// Returns the attributes of a user from before there were kinds; those that are not built in are in `custom`.
  private static func legacy(_ members: [String: FlagValue]) -> [String: FlagValue] {
    var attributes = members
    attributes["privateAttributeNames"] = nil
    guard case .object(let custom)? = attributes.removeValue(forKey: "custom") else { return attributes }
    return custom.merging(attributes) { $1 }
  }

  /// Returns the attributes of a context, without what is not one.
  private static func checked(
    _ members: [String: FlagValue], kind: String
  ) throws(FlagError) -> [String: FlagValue] {
    let isValid = kind.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || ".-_".utf8.contains(byte)
    }
    guard isValid, !kind.isEmpty, kind != "kind", kind != "multi" else {
      throw FlagError(.invalidContext, "kind: expected letters, digits, dots, hyphens or underscores, found others")
    }
    let key = members[EvaluationContext.targetingKeyName] ?? members["key"]
    guard case .string(let text)? = key, !text.isEmpty else {
      throw FlagError(.invalidContext, "\(kind).key: expected a string that is not empty, found another value")
    }
    for (name, expected) in [("name", "a string"), ("anonymous", "true or false"), ("_meta", "an object")] {
      guard let value = members[name], value.isKind(of: expected) else {
        guard members[name] == nil else {
          throw FlagError(.invalidContext, "\(kind).\(name): expected \(expected), found another value")
        }
        continue
      }
    }
    let others: Set = ["kind", "_meta", "privateAttributes", EvaluationContext.targetingKeyName]
    return members.filter { !others.contains($0.key) && $0.value != .null }.merging(["key": .string(text)]) { $1 }
  }
}

extension FlagValue {
  /// Returns whether the value is null or of the type that an error message expects.
  fileprivate func isKind(of expected: String) -> Bool {
    switch self {
    case .null: true
    case .string: expected == "a string"
    case .bool: expected == "true or false"
    case .object: expected == "an object"
    case .int, .double, .array: false
    }
  }
}

extension EvaluationContext {
  /// Whether the attributes are LaunchDarkly's JSON for a context, from a caller without the package's users.
  var isLaunchDarkly: Bool {
    guard user == nil, !attributes.isEmpty else { return false }
    return attributes.member("kind") != nil || targetingKey == nil && attributes.member("key") != nil
  }

  /// Returns the context whose attributes are LaunchDarkly's JSON for one as the package's users and kinds.
  ///
  /// - Throws: A `FlagError` with the code `INVALID_CONTEXT` for attributes that LaunchDarkly's SDKs refuse.
  func readingKinds() throws(FlagError) -> EvaluationContext {
    var members = attributes
    if members["kind"] == nil { members["kind"] = .string(ContextKind.userName) }
    var context = try EvaluationContext(launchDarkly: .object(members))
    context.anonymousID = anonymousID
    return context
  }

  /// Returns the context as LaunchDarkly's JSON for it, without some attributes; nil for a context without any key.
  func launchDarkly(without privateAttributes: Set<String> = []) -> FlagValue? {
    var contexts: [String: FlagValue] = [:]
    for kind in kinds {
      guard var members = kind == ContextKind.userName ? userMembers : others(kind) else { continue }
      members = members.filter { $0.key == "key" || !privateAttributes.contains($0.key) }
      contexts[kind] = .object(members)
    }
    for name in privateAttributes { contexts[name] = name == ContextKind.userName ? contexts[name] : nil }
    guard contexts.count == 1, let (kind, context) = contexts.first, case .object(var members) = context else {
      if contexts.isEmpty { return nil }
      contexts["kind"] = "multi"
      return .object(contexts)
    }
    members["kind"] = .string(kind)
    return .object(members)
  }

  /// The attributes of the user or visitor, with those of the program that are no contexts of their own.
  private var userMembers: [String: FlagValue] {
    var members = values.filter { name, value in
      user?.contexts[name] == nil && (user?.attributes[name] != nil || value.contextAttributes == nil)
    }
    members["targetingKey"] = nil
    members["key"] = targetingKey.map(FlagValue.string)
    if user == nil { members["anonymous"] = .bool(true) }
    return members
  }
}
