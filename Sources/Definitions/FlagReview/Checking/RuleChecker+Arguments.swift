import FlagDefinitions
import FlagDomain
import FlagJSON

/// Checks of arguments that are not just operands.
extension RuleChecker {
  mutating func checkVariable(_ value: FlagValue, at path: DocumentPath) {
    guard case .array(let parts) = value else { return checkVariableName(value, at: path) }
    checkVariableName(parts.first ?? "", at: path.appending(0))
    for (index, part) in parts.enumerated().dropFirst() where part.hasParts {
      checkArgument(part, at: path.appending(index))
    }
    if parts.count > 1, case .string(let name) = parts[0], parts[1] != .null, !parts[1].hasParts {
      diagnostics.warn(
        path.appending(1),
        "the default is used if \(name.quoted) is missing, but not if it is null, unlike in some implementations"
      )
    }
  }

  private mutating func checkVariableName(_ value: FlagValue, at path: DocumentPath) {
    let reserved = Variable.Reserved.name + "."
    let flagKey = reserved + Variable.Reserved.flagKey
    switch value {
    case .string(let name):
      readsFlagKey = readsFlagKey || ["", Variable.Reserved.name, flagKey].contains(name)
      guard name.hasPrefix(reserved) else { return }
      let names = [flagKey, reserved + Variable.Reserved.timestamp]
      if !names.contains(name) { diagnostics.expect(names.joined(separator: " or "), at: path, found: value) }
    case .null: readsFlagKey = true
    case .object, .array:
      // A computed name may be any name.
      readsFlagKey = true
      checkArgument(value, at: path)
    default: break
    }
  }

  mutating func checkNames(_ value: FlagValue, at path: DocumentPath) {
    guard let names = value.elements else { return diagnostics.expect("an array of names", at: path, found: value) }
    for (index, name) in names.enumerated() where !name.isText {
      diagnostics.expect("a name", at: path.appending(index), found: name)
    }
  }

  mutating func checkNumberAndNames(_ value: FlagValue, at path: DocumentPath) {
    guard let parts = value.elements, parts.count == 2, parts[0].variantKind == .number else {
      return diagnostics.expect("an array of a number and an array of names", at: path, found: value)
    }
    checkNames(parts[1], at: path.appending(1))
  }

  mutating func checkTexts(_ value: FlagValue, at path: DocumentPath) {
    guard let texts = value.elements, texts.count == 2 else {
      return diagnostics.expect("an array of 2 strings or rules", at: path, found: value)
    }
    for (index, text) in texts.enumerated() where !text.isText { checkRuleOrReference(text, at: path.appending(index)) }
  }

  mutating func checkVersions(_ value: FlagValue, at path: DocumentPath) {
    guard let parts = value.elements, parts.count == 3 else {
      return diagnostics.expect("an array of a version, a relation and a version", at: path, found: value)
    }
    checkVersion(parts[0], at: path.appending(0))
    checkVersion(parts[2], at: path.appending(2))
    if case .string(let name) = parts[1], VersionRelation(rawValue: name) != nil { return }
    diagnostics.expect("one of = != < <= > >= ^ ~", at: path.appending(1), found: parts[1])
  }

  /// Checks a version; the only rule that the schema allows here is a variable.
  private mutating func checkVersion(_ value: FlagValue, at path: DocumentPath) {
    switch value {
    case .object(let fields) where fields.keys.allSatisfy { $0 == "var" }: checkRule(value, at: path)
    case _ where value.versionText.flatMap({ SemanticVersion($0) }) != nil: break
    default: diagnostics.expect("a version such as 1.2.3, or a variable", at: path, found: value)
    }
  }

  mutating func checkShares(_ value: FlagValue, at path: DocumentPath) {
    guard let parts = value.elements, let first = parts.first else {
      return diagnostics.expect("an array of shares", at: path, found: value)
    }
    let hasSubject = first.elements == nil
    if hasSubject { checkSubject(first, at: path.appending(0)) }
    let shares = parts.dropFirst(hasSubject ? 1 : 0)
    for (index, share) in zip(shares.indices, shares) { checkShare(share, at: path.appending(index)) }
    checkTotal(of: shares, hasSubject: hasSubject, at: path)
  }

  private mutating func checkSubject(_ value: FlagValue, at path: DocumentPath) {
    let (outer, count) = (readsFlagKey, references.count)
    readsFlagKey = false
    checkRuleOrReference(value, at: path)
    let names = references[count...].map(\.name)
    subjects.append(Subject(value: value, path: path, readsFlagKey: readsFlagKey, references: names))
    readsFlagKey = readsFlagKey || outer
  }

  private mutating func checkShare(_ value: FlagValue, at path: DocumentPath) {
    guard let parts = value.elements, (1...2).contains(parts.count) else {
      return diagnostics.expect("an array of a variant and a weight", at: path, found: value)
    }
    checkArgument(parts[0], at: path.appending(0))
    guard let weight = parts.dropFirst().first else { return }
    if case .object = weight { return checkRuleOrReference(weight, at: path.appending(1)) }
    if weight.wholeNumber.map({ $0 < 0 }) ?? true {
      diagnostics.expect("a whole number from 0 on", at: path.appending(1), found: weight)
    }
  }

  private mutating func checkTotal(of shares: ArraySlice<FlagValue>, hasSubject: Bool, at path: DocumentPath) {
    let weights = shares.compactMap { $0.elements.flatMap { $0.count == 2 ? $0[1].weight : 1 } }
    guard weights.count == shares.count else { return }
    let total = weights.reduce(0, +)
    if total == 0 {
      diagnostics.warn(path, "expected weights that sum to more than 0: no one falls into a share")
    } else if shares.count == 1 {
      let users = hasSubject ? "who has what the split is by" : "with an id"
      diagnostics.warn(
        path, "a single share goes to everyone \(users), whatever its weight: add shares for the others")
    }
    if total > FlagValue.maximumWeight {
      diagnostics.warn(path, "expected weights that sum to at most \(FlagValue.maximumWeight)")
    }
  }
}

extension FlagValue {
  fileprivate var isText: Bool { variantKind == .string }
}
