package import FlagDomain

/// The compiled rules of one document: instructions in one buffer, and the tables that they refer to.
///
/// It is immutable. Evaluation reads numbers from it, and copies a value only if that is the result of an instruction.
package final class Program: Sendable {
  package let tables: Tables
  /// The metadata of the document, for flags that it is not yet merged into.
  package let metadata: [String: FlagValue]

  init(_ tables: Tables, metadata: [String: FlagValue] = [:]) {
    self.tables = tables
    self.metadata = metadata
  }

  /// Returns a part of an instruction; beyond the last, the undefined instruction.
  package func part(_ index: Int, of instruction: Instruction) -> Instruction {
    index < Int(instruction.count) ? tables.instructions[Int(instruction.first) + index] : .undefined
  }

  /// Returns the names of the attributes that an instruction and its parts read; shared parts are visited once.
  package func attributes(of root: Instruction) -> Set<String> {
    var names: Set<String> = []
    var (waiting, known) = ([root], Set<UInt32>())
    while let instruction = waiting.popLast() {
      if instruction.kind == .variable {
        let variable = tables.variables[Int(instruction.payload)]
        if !variable.isReserved, !variable.path.isEmpty { names.insert(variable.path) }
      }
      guard instruction.count > 0, known.insert(instruction.first).inserted else { continue }
      waiting += instruction.parts.map { tables.instructions[$0] }
    }
    return names
  }

  /// The content of a program; instructions refer to the other tables by numbers.
  package struct Tables: Sendable {
    package var instructions: ContiguousArray<Instruction> = []
    package var constants: ContiguousArray<FlagValue> = []
    var variables: ContiguousArray<Variable> = []
    /// The strings that values are compared with, including the names of variants.
    var texts = StringTable()
    /// The numbers of strings: each set in the order of ``StringTable/sorted(_:)``, and then in its original order.
    var members: ContiguousArray<UInt32> = []
    var sets: ContiguousArray<StringSet> = []
    var versions: ContiguousArray<Version> = []
    package var splits: ContiguousArray<Split> = []
    package var shares: ContiguousArray<Share> = []
    /// The times at which the results of comparisons of the time with numbers change, in seconds since 1970-01-01 UTC.
    var instants: ContiguousArray<Int64> = []
    var messages: ContiguousArray<String> = []
    /// Whether an operator has a constant operand that it cannot read.
    var hasMisreadings = false
  }

  /// The position of a set's strings among the members.
  struct StringSet: Sendable {
    let first: UInt32
    let count: UInt32

    var sorted: Range<Int> { Int(first)..<Int(first + count) }
    var listed: Range<Int> { Int(first + count)..<Int(first + 2 * count) }
  }

  /// A relation, and the version on its right.
  struct Version: Sendable {
    let relation: VersionRelation
    let version: SemanticVersion
  }

  package struct Split: Sendable {
    /// Whether the first part decides the bucket, rather than the flag's key and the targeting key.
    package let hasSubject: Bool
    package let total: UInt64
    package let shares: Range<Int>
  }

  /// A share: the bucket before which it ends, and the constant that is its result.
  package struct Share: Sendable {
    package let end: UInt64
    package let result: Instruction
  }
}

extension Program.Tables {
  func strings(ofSet number: Int) -> [FlagValue] {
    members[sets[number].listed].map { .string(texts[Int($0)]) }
  }

  func shareValues(of split: Program.Split) -> [FlagValue] {
    var start: UInt64 = 0
    return shares[split.shares].map { share in
      defer { start = share.end }
      return [constants[Int(share.result.payload)], .int(Int128(share.end - start))]
    }
  }
}

package struct Rule: Sendable {
  let program: Program
  let root: Instruction
}
