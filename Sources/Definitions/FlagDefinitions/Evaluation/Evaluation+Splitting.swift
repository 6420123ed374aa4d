import FlagDomain

extension Evaluation {
  mutating func shareValue(
    of instruction: Instruction, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> FlagValue? {
    if instruction.shortcut == .split, let share = try share(of: instruction, on: program, for: context, in: scope) {
      guard let share else { return .null }
      return try value(of: share, on: program, for: context, in: scope)
    }
    return try computedShareValue(of: instruction, on: program, for: context, in: scope)
  }

  /// Returns the result of the selected share of a prepared split; the inner optional is nil if no share is selected.
  ///
  /// The outer optional is nil if the first part turns out to be a share itself.
  mutating func share(
    of instruction: Instruction, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> Instruction?? {
    let split = program.tables.splits[Int(instruction.payload)]
    let hash: UInt32?
    if split.hasSubject {
      let subject = try subject(program.part(0, of: instruction), on: program, for: context, in: scope)
      if case .array = subject { return nil }
      hash = try self.hash(of: subject, for: context)
    } else {
      hash = hashOfTargetingKey(for: context)
    }
    guard let bucket = bucket(of: hash, outOf: split.total) else { return .some(nil) }
    return program.share(at: bucket, of: split).map(\.result)
  }

  /// Evaluates all operands first: only their values show which of them are shares.
  private mutating func computedShareValue(
    of instruction: Instruction, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> FlagValue? {
    guard instruction.count > 0 else { return .null }
    if instruction.shortcut == .split {
      // The shares of a split become values again if its first part is a share, too.
      try charge(program.tables.splits[Int(instruction.payload)].shares.count, each: 3 * ByteCost.element)
    }
    let first = try subject(program.part(0, of: instruction), on: program, for: context, in: scope)
    var operands: [FlagValue?] = [first]
    for index in instruction.parts.dropFirst() {
      try operands.append(value(of: program.tables.instructions[index], on: program, for: context, in: scope))
    }
    if instruction.shortcut == .split {
      operands += program.tables.shareValues(of: program.tables.splits[Int(instruction.payload)])
    }
    let hasSubject = if case .array = first { false } else { true }
    var (end, shares) = (UInt64(0), [(end: UInt64, result: FlagValue)]())
    for operand in operands.dropFirst(hasSubject ? 1 : 0) {
      guard let share = operand?.share else { return .null }
      end += share.weight
      shares.append((end, share.result))
    }
    let hash = hasSubject ? try self.hash(of: first, for: context) : hashOfTargetingKey(for: context)
    guard let bucket = bucket(of: hash, outOf: end) else { return .null }
    return shares.first { bucket < $0.end }?.result ?? .null
  }

  private mutating func subject(
    _ instruction: Instruction, on program: Program, for context: EvaluationContext, in scope: borrowing Scope
  ) throws(RuleFailure) -> FlagValue? {
    let outer = isBucketing
    isBucketing = true
    defer { isBucketing = outer }
    return try value(of: instruction, on: program, for: context, in: scope)
  }

  private mutating func bucket(of hash: UInt32?, outOf total: UInt64) -> UInt64? {
    guard (1...FlagValue.maximumWeight).contains(total), let hash else { return nil }
    let bucket = (UInt64(hash) * total) >> 32
    isSplit = true
    trace?.didSplit(bucket: bucket, of: total)
    return bucket
  }

  /// Returns the hash of the subject that decides the bucket; nil if it is not hashable.
  ///
  /// If it is missing or null, v2 takes the targeting key instead, as flagd's daemon does, and v3 has no hash.
  private mutating func hash(of subject: FlagValue?, for context: EvaluationContext) throws(RuleFailure) -> UInt32? {
    guard let subject, subject != .null else { return flag.bucketing == .v2 ? hashOfTargetingKey(for: context) : nil }
    switch flag.bucketing {
    case .v2:
      guard case .string(let text) = subject else { return nil }
      try charge(text.utf8.count)
      var hash = Murmur3()
      hash.write(text)
      return hash.value
    case .v3:
      try chargeEncoding(of: subject, levels: RuleLimits.bucketLevels)
      var encoder = CBOREncoder(into: Murmur3())
      return encoder.write(subject, levels: RuleLimits.bucketLevels) ? encoder.sink.value : nil
    }
  }

  private mutating func hashOfTargetingKey(for context: EvaluationContext) -> UInt32? {
    reads?.insert("targetingKey")
    guard let key = context.targetingKey, !key.isEmpty else {
      missesTargetingKey = true
      return nil
    }
    return flag.hash.value(withTargetingKey: key, bucketing: flag.bucketing)
  }

  /// Charges for all parts, each as often as it is reached; parts that nest too deep are not encoded, and cost nothing
  /// more.
  private mutating func chargeEncoding(of value: FlagValue, levels: Int) throws(RuleFailure) {
    try charge(ByteCost.read)
    switch value {
    case .string(let text): try charge(text.utf8.count)
    case .array(let elements) where levels > 0:
      for element in elements { try chargeEncoding(of: element, levels: levels - 1) }
    case .object(let members) where levels > 0:
      for (name, value) in members {
        try charge(name.utf8.count, each: ByteCost.name)
        try chargeEncoding(of: value, levels: levels - 1)
      }
    case .null, .bool, .int, .double, .array, .object: break
    }
  }
}

extension Program {
  /// Returns the share of a split that contains a bucket: the first one whose end is beyond it.
  fileprivate func share(at bucket: UInt64, of split: Split) -> Share? {
    var (low, high) = (split.shares.lowerBound, split.shares.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if bucket < tables.shares[middle].end { high = middle } else { low = middle + 1 }
    }
    return low < split.shares.upperBound ? tables.shares[low] : nil
  }
}
