import FlagDomain

extension Evaluation {
  /// Returns what the operators give that JsonLogic does not know.
  mutating func flagValue(of rule: Rule, in scope: Scope) throws(RuleFailure) -> FlagValue? {
    switch rule {
    case .version(let test): try value(of: test, in: scope)
    case .split(let split): try value(of: split, in: scope)
    default: nil
    }
  }

  private mutating func value(of test: VersionTest, in scope: Scope) throws(RuleFailure) -> FlagValue? {
    let left = try version(of: test.left, in: scope)
    let right = try version(of: test.right, in: scope)
    guard let left, let right else { return .null }
    return .bool(test.relation.holds(left, right))
  }

  private mutating func version(
    of operand: VersionTest.Operand, in scope: Scope
  ) throws(RuleFailure) -> SemanticVersion? {
    switch operand {
    case .version(let version, _): version
    case .rule(let rule): SemanticVersion(try value(of: rule, in: scope))
    }
  }
}

extension Evaluation {
  private mutating func value(of split: Split, in scope: Scope) throws(RuleFailure) -> FlagValue? {
    guard let total = split.total else {
      guard let split = try resolved(split, in: scope) else { return .null }
      return try value(of: split, in: scope)
    }
    guard (1...Split.maximumTotal).contains(total), let hash = try hash(for: split, in: scope) else { return .null }
    let bucket = (UInt64(hash) * total) >> 32
    trace?.didSplit(bucket: bucket, of: total)
    guard let share = split.share(inBucket: bucket) else { return .null }
    return try value(of: split.shares[share].result, in: scope)
  }

  /// Returns a split whose weights are all known; nil where one is not a whole number.
  private mutating func resolved(_ split: Split, in scope: Scope) throws(RuleFailure) -> Split? {
    var shares = split.shares
    for index in shares.indices {
      guard case .rule(let rule) = shares[index].weight else { continue }
      guard let weight = Split.weight(try value(of: rule, in: scope)) else { return nil }
      shares[index].weight = .constant(weight)
    }
    return Split(subject: split.subject, shares: shares)
  }

  private mutating func hash(for split: Split, in scope: Scope) throws(RuleFailure) -> UInt32? {
    guard let rule = split.subject else { return hashOfTargetingKey() }
    let subject = try value(of: rule, in: scope)
    return switch (bucketing, subject) {
    case (.v2, .string(let text)): Murmur3.hash { $0.write(text) }
    case (.v2, _): hashOfTargetingKey()
    case (.v3, nil), (.v3, .null): nil
    case (.v3, let subject?): Murmur3.hash(cborOf: subject)
    }
  }

  private func hashOfTargetingKey() -> UInt32? {
    guard let key = context.targetingKey, !key.isEmpty else { return nil }
    return switch bucketing {
    case .v2:
      Murmur3.hash {
        $0.write(flagKey)
        $0.write(key)
      }
    case .v3: Murmur3.hash(cborOf: flagKey, key)
    }
  }
}

extension Murmur3 {
  fileprivate static func hash(_ write: (inout Murmur3) -> Void) -> UInt32 {
    var hash = Murmur3()
    write(&hash)
    return hash.value
  }

  /// The hash of a value's encoding; nil where it nests too deep to have one.
  fileprivate static func hash(cborOf value: FlagValue) -> UInt32? {
    var encoder = CBOREncoder(into: Murmur3())
    return encoder.write(value) ? encoder.sink.value : nil
  }

  /// The hash of the encoding of a list of two strings.
  fileprivate static func hash(cborOf first: String, _ second: String) -> UInt32 {
    var encoder = CBOREncoder(into: Murmur3())
    encoder.writeListHead(count: 2)
    encoder.write(first)
    encoder.write(second)
    return encoder.sink.value
  }
}
