import FlagDomain

/// A comparison of the rules of two documents, each of which has one program.
///
/// Results are cached: parts that many rules share are compared once. The comparison takes time linear in the size of
/// the programs; beyond that, rules count as different, which is always safe.
package struct RuleComparison {
  private var left = Program.Tables()
  private var right = Program.Tables()
  private var isBegun = false
  private var known: [Pair: Bool] = [:]
  private var knownConstants: [Pair: Bool] = [:]
  private var pairsLeft = 0
  private var hasSameMetadata: Bool?

  private struct Pair: Hashable {
    let left: UInt32
    let right: UInt32
  }

  package init() {}

  mutating func haveSameMetadata(_ left: Program, _ right: Program) -> Bool {
    let areSame = hasSameMetadata ?? FlagValue.object(left.metadata).isIdentical(to: .object(right.metadata))
    hasSameMetadata = areSame
    return areSame
  }

  /// Returns whether two rules are the same: the first is always of the same document, the second of the other one.
  package mutating func areSame(_ left: Rule?, _ right: Rule?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    if !isBegun {
      (isBegun, self.left, self.right) = (true, left.program.tables, right.program.tables)
      pairsLeft = [self.left, self.right].reduce(64) { count, tables in
        count + 4 * (tables.instructions.count + tables.shares.count + tables.members.count)
      }
    }
    return areSame(left.root, right.root)
  }

  private mutating func areSame(_ left: Instruction, _ right: Instruction) -> Bool {
    guard left.kind == right.kind, left.name == right.name, left.shortcut == right.shortcut,
      left.parts.count == right.parts.count, haveSamePayload(left, right)
    else {
      return false
    }
    if left.parts.isEmpty { return true }
    let pair = Pair(left: left.first, right: right.first)
    if let known = known[pair] { return known }
    pairsLeft -= left.parts.count
    let isSame = pairsLeft >= 0 && haveSameParts(left, right)
    known[pair] = isSame
    return isSame
  }

  private mutating func haveSameParts(_ left: Instruction, _ right: Instruction) -> Bool {
    for (one, other) in zip(left.parts, right.parts)
    where !areSame(self.left.instructions[one], self.right.instructions[other]) {
      return false
    }
    return true
  }

  /// Returns whether the payloads are the same; those of shortcuts other than splits follow from the parts.
  private mutating func haveSamePayload(_ left: Instruction, _ right: Instruction) -> Bool {
    let (one, other) = (Int(left.payload), Int(right.payload))
    return switch left.kind {
    case .constant: areSameConstants(left.payload, right.payload)
    case .strings: areSameSets(one, other)
    case .variable: self.left.variables[one].isIdentical(to: self.right.variables[other])
    case .broken: self.left.messages[one] == self.right.messages[other]
    case .operation where left.shortcut == .split: areSameSplits(one, other)
    case .undefined, .list, .operation: true
    }
  }

  private mutating func areSameSets(_ one: Int, _ other: Int) -> Bool {
    let (one, other) = (left.sets[one].listed, right.sets[other].listed)
    guard one.count == other.count else { return false }
    pairsLeft -= one.count
    guard pairsLeft >= 0 else { return false }
    return zip(left.members[one], right.members[other]).allSatisfy { one, other in
      right.texts.isText(Int(other), left.texts[Int(one)])
    }
  }

  private mutating func areSameSplits(_ one: Int, _ other: Int) -> Bool {
    let (one, other) = (left.splits[one], right.splits[other])
    guard one.hasSubject == other.hasSubject, one.shares.count == other.shares.count else { return false }
    pairsLeft -= one.shares.count
    guard pairsLeft >= 0 else { return false }
    for (share, otherShare) in zip(left.shares[one.shares], right.shares[other.shares]) {
      guard share.end == otherShare.end, areSameConstants(share.result.payload, otherShare.result.payload) else {
        return false
      }
    }
    return true
  }

  private mutating func areSameConstants(_ one: UInt32, _ other: UInt32) -> Bool {
    let pair = Pair(left: one, right: other)
    if let known = knownConstants[pair] { return known }
    let isSame = left.constants[Int(one)].isIdentical(to: right.constants[Int(other)])
    knownConstants[pair] = isSame
    return isSame
  }
}

extension Variable {
  fileprivate func isIdentical(to other: Variable) -> Bool {
    (first == nil) == (other.first == nil) && path.isIdentical(to: other.path)
  }
}
