import FlagDefinitions
import FlagDomain

/// The flags and segments of a document, ready to be evaluated.
struct LaunchDarklyDocument: DefinitionDocument {
  let definitions: Definitions
  let diagnostics: [DocumentDiagnostic]
  /// The numbers of the flags in the order of the document.
  private let order: [Int]

  init(_ text: [UInt8], of file: String?) throws(FlagDocumentError) {
    let reader = try LaunchDarklyReader.read(text, of: file)
    diagnostics = Array(reader.diagnostics.prefix(RuleLimits.diagnostics)).located(in: text, of: file)
    order = reader.order
    definitions = reader.definitions
  }

  init(_ definitions: Definitions, order: [Int]) {
    (self.definitions, self.order, diagnostics) = (definitions, order, [])
  }

  var format: any DefinitionFormat { LaunchDarklyFormat() }

  var listed: [ListedFlag] { order.map { listing(of: $0) } }

  func listing(of key: String) -> ListedFlag? { number(of: key).map { listing(of: $0) } }

  private func listing(of number: Int) -> ListedFlag {
    guard case .part(let flag)? = definitions.flags.entries[number] else {
      var listed = ListedFlag(key: definitions.flags.names[number], variants: [])
      listed.isForClients = !definitions.flags.hidden.contains(number)
      return listed
    }
    var listed = ListedFlag(key: definitions.flags.names[number], variants: flag.listing)
    listed.isForClients = flag.isForClients
    return listed
  }

  private func number(of key: String) -> Int? {
    definitions.flags.names.number(of: key).flatMap { definitions.flags.entries[$0] == nil ? nil : $0 }
  }

  var unitAttributes: Set<String> {
    var names: Set<String> = []
    for case .part(let flag)? in definitions.flags.entries {
      names.formUnion(([flag.otherwise] + flag.rules.map(\.choice)).compactMap(\.unitAttribute))
    }
    return names
  }

  // MARK: Evaluation

  func evaluate(
    _ key: String, in context: EvaluationContext, at seconds: @autoclosure () -> Int64
  ) throws(FlagError) -> FlagAnswer? {
    guard let number = definitions.flags.names.number(of: key) else { return nil }
    return try evaluate(number, in: context)
  }

  func evaluate(
    _ key: FlagKey, in context: EvaluationContext, at moment: Int64?, now: () -> Int64
  ) throws(FlagError) -> FlagAnswer? {
    guard let number = definitions.flags.names.number(of: key.utf8) else { return nil }
    return try evaluate(number, in: context)
  }

  private func evaluate(_ number: Int, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
    switch definitions.flags.entries[number] {
    case nil: return nil
    case .malformed(let reason): throw FlagError(malformed: reason)
    case .part(let flag):
      var evaluation = Evaluation(definitions, for: context.isLaunchDarkly ? try context.readingKinds() : context)
      do throws(Evaluation.Failure) {
        let decision = try evaluation.decide(flag, number: number)
        var answer = try flag.answer(decision)
        answer.isMissingTargetingKey = evaluation.isMissingTargetingKey
        if evaluation.needsBigSegments { answer.metadata[Reason.bigSegmentsStatus] = "NOT_CONFIGURED" }
        return answer
      } catch {
        throw FlagError(error)
      }
    }
  }
}

extension LaunchDarklyFlag {
  /// Returns the answer for a decision.
  fileprivate func answer(_ decision: Evaluation.Decision) throws(Evaluation.Failure) -> FlagAnswer {
    let reason: ResolutionReason
    var metadata: [String: FlagValue]
    switch decision.cause {
    case .off: (reason, metadata) = (.disabled, Reason.offMetadata)
    case .target: (reason, metadata) = (.targetingMatch, Reason.targetMetadata)
    case .otherwise:
      reason = decision.isSplit ? .split : isFixed ? .static : .default
      metadata = decision.isInExperiment ? Reason.experimentMetadata : Reason.fallthroughMetadata
      if decision.isInExperiment, let name = otherwise.unitAttribute {
        metadata[FlagAnswer.unitAttributeName] = .string(name)
      }
    case .rule(let index):
      reason = decision.isSplit ? .split : .targetingMatch
      metadata = decision.isInExperiment ? rules[index].experimentMetadata : rules[index].metadata
    case .prerequisite(let index): (reason, metadata) = (.default, prerequisites[index].metadata)
    case .nothingGiven: throw .malformed("expected a variation or a rollout for the context, found neither")
    }
    guard let variation = decision.variation else { return FlagAnswer(nil, reason: reason, metadata: metadata) }
    guard variations.indices.contains(variation) else {
      throw .malformed("expected one of \(variations.count) variations, found the number \(variation)")
    }
    return FlagAnswer(
      variations[variation], variant: String(variation), reason: reason, metadata: metadata,
      isExperiment: decision.isInExperiment)
  }
}

extension FlagError {
  /// Creates the error of a malformed flag.
  init(malformed reason: String) {
    self.init(.parseError, reason, metadata: Reason.error("MALFORMED_FLAG").metadata)
  }

  fileprivate init(_ failure: Evaluation.Failure) {
    switch failure {
    case .malformed(let reason): self.init(malformed: reason)
    case .tooManySteps: self.init(exceeded: "takes more than \(RuleLimits.steps) steps")
    case .tooManyBytes: self.init(exceeded: "reads more than \(RuleLimits.bytes) bytes")
    case .tooDeep(let levels): self.init(exceeded: "nests prerequisites or segments in more than \(levels) levels")
    }
  }

  private init(exceeded limit: String) {
    self.init(.general, "the flag \(limit)", metadata: Reason.error("EXCEPTION").metadata)
  }
}
