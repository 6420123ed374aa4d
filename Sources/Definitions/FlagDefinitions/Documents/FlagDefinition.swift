package import FlagDomain

/// A flag as a document defines it, before its rule is part of a program.
struct FlagContent: Sendable {
  let isEnabled: Bool
  let variants: [FlagDefinition.Variant]
  let defaultVariant: String?
  /// The first instruction of the rule that chooses the variant; nil if it is always the default one.
  let rule: Instruction?
  let metadata: [String: FlagValue]
}

/// A flag as its document defines it, ready to be evaluated.
package final class FlagDefinition: Sendable {
  /// A value that the flag can have, and its name.
  package struct Variant: Sendable {
    package let value: FlagValue
    package let name: String
    /// The number of the name among the texts of the program; nil for a very long name.
    let text: UInt32?
  }

  package let isEnabled: Bool
  package let variants: [Variant]
  package let defaultVariant: String?
  let defaultIndex: Int?
  /// The first instruction of the rule that chooses the variant; nil if it is always the default one.
  package let root: Instruction?
  package let program: Program
  let evaluated: EvaluatedFlag
  /// The flag's metadata, merged with the document's unless that would take too much memory in each flag.
  private let ownMetadata: [String: FlagValue]
  private let lacksSharedMetadata: Bool
  /// Whether the answer may change with the time alone.
  let dependsOnTime: Bool
  /// Whether it changes with time only at the instants of the program.
  let changesAtInstants: Bool
  let isExperiment: Bool
  /// The version of an experiment whose units keep their variants; nil for any other.
  let stickyVersion: Int32?
  /// The answer for all users, created once; nil if it takes an evaluation, or metadata that are merged for each
  /// answer.
  private let fixed: FixedAnswer?

  private final class FixedAnswer: Sendable {
    /// Optional like the property that returns it, so that it is copied only once.
    let answer: FlagAnswer?

    init(_ answer: FlagAnswer) { self.answer = answer }
  }

  init(_ content: FlagContent, key: Int, program: Program, bucketing: Bucketing) {
    isEnabled = content.isEnabled
    variants = content.variants
    defaultVariant = content.defaultVariant
    defaultIndex = defaultVariant.flatMap(variants.index(ofVariant:))
    root = content.rule
    self.program = program
    evaluated = EvaluatedFlag(key: key, of: program, bucketing: bucketing)
    let shared = program.metadata
    lacksSharedMetadata = shared.count > RuleLimits.sharedMetadata
    ownMetadata =
      lacksSharedMetadata
      ? content.metadata
      : content.metadata.isEmpty ? shared : shared.merging(content.metadata) { _, own in own }
    isExperiment = (content.metadata.member("experiment") ?? shared.member("experiment")) == .bool(true)
    let sticky = content.metadata.member("sticky") ?? shared.member("sticky")
    stickyVersion =
      switch sticky {
      case .bool(true)? where isExperiment: 0
      case .int(let version)? where isExperiment: Int32(exactly: version)
      default: nil
      }
    dependsOnTime = root?.traits.contains(.readsTime) ?? false
    changesAtInstants = !(root?.traits.contains(.readsTimeFreely) ?? false)
    let answer = Self.fixedAnswer(
      isEnabled: isEnabled, of: root == nil ? defaultIndex.map { [variants] in variants[$0] } : nil,
      metadata: ownMetadata, isExperiment: isExperiment)
    fixed = lacksSharedMetadata ? nil : answer.map(FixedAnswer.init)
  }

  /// Returns the answer of a flag that is disabled, or has one variant for all users; nil for any other.
  private static func fixedAnswer(
    isEnabled: Bool, of variant: Variant?, metadata: [String: FlagValue], isExperiment: Bool
  ) -> FlagAnswer? {
    guard isEnabled else { return FlagAnswer(nil, reason: .disabled, metadata: metadata, isExperiment: isExperiment) }
    return variant.map {
      FlagAnswer($0.value, variant: $0.name, reason: .static, metadata: metadata, isExperiment: isExperiment)
    }
  }

  package var key: String { program.tables.texts[evaluated.key] }

  package var bucketing: Bucketing { evaluated.bucketing }

  package var metadata: [String: FlagValue] {
    guard lacksSharedMetadata else { return ownMetadata }
    return ownMetadata.isEmpty ? program.metadata : program.metadata.merging(ownMetadata) { _, own in own }
  }

  /// The answer for all users; nil if it depends on an evaluation.
  @inline(never)
  package var fixedAnswer: FlagAnswer? {
    if let fixed { return fixed.answer }
    return lacksSharedMetadata ? mergedFixedAnswer : nil
  }

  @inline(never)
  private var mergedFixedAnswer: FlagAnswer? {
    Self.fixedAnswer(
      isEnabled: isEnabled, of: root == nil ? defaultIndex.map { variants[$0] } : nil, metadata: metadata,
      isExperiment: isExperiment)
  }

  package var rule: Rule? { root.map { Rule(program: program, root: $0) } }
}

extension [FlagDefinition.Variant] {
  func index(ofVariant name: String) -> Int? { indices.first { self[$0].name.isIdentical(to: name) } }

  func index(ofText number: Int) -> Int? { indices.first { self[$0].text == UInt32(number) } }

  package func isIdentical(to other: Self) -> Bool {
    count == other.count
      && zip(self, other).allSatisfy { $0.name.isIdentical(to: $1.name) && $0.value.isIdentical(to: $1.value) }
  }
}

extension FlagDefinition {
  /// Returns whether the flag of the same key in another document is the same.
  func isIdentical(to other: FlagDefinition, comparing rules: inout RuleComparison) -> Bool {
    if self === other { return true }
    return isEnabled == other.isEnabled && variants.isIdentical(to: other.variants)
      && (defaultVariant ?? "").isIdentical(to: other.defaultVariant ?? "")
      && hasSameMetadata(as: other, comparing: &rules) && rules.areSame(rule, other.rule)
  }

  /// Returns whether both flags have the same metadata; metadata of the documents are compared once for all flags.
  private func hasSameMetadata(as other: FlagDefinition, comparing rules: inout RuleComparison) -> Bool {
    (ownMetadata.isEmpty && other.ownMetadata.isEmpty
      || FlagValue.object(ownMetadata).isIdentical(to: .object(other.ownMetadata)))
      && lacksSharedMetadata == other.lacksSharedMetadata
      && (!lacksSharedMetadata || rules.haveSameMetadata(program, other.program))
  }
}

/// A cache of recent flags' variants, so that flags with equal ones share them: most flags are just on or off.
struct RecentVariants {
  private var arrays: [[FlagDefinition.Variant]] = []
  private var oldest = 0

  private static let count = 8

  mutating func sharing(_ variants: [FlagDefinition.Variant]) -> [FlagDefinition.Variant] {
    if let known = arrays.first(where: { $0.isIdentical(to: variants) }) { return known }
    if arrays.count < Self.count {
      arrays.append(variants)
    } else {
      arrays[oldest] = variants
      oldest = (oldest + 1) % Self.count
    }
    return variants
  }
}
