package import FlagDefinitions
package import FlagDomain
import FlagJSON

/// The features of one document in GrowthBook's format, ready to be evaluated.
package struct GrowthBookDocument: Sendable {
  /// The errors and warnings about single features, in the order of the document: at most 100.
  package let diagnostics: [DocumentDiagnostic]
  let payload: Payload
  private var stickyBuckets: (any StickyBucketStore)? { growthBook.stickyBuckets }
  let growthBook: GrowthBookFormat
  let source: Source

  /// The texts that the document was read from, for comparing it with others.
  final class Source: Sendable {
    let text: [UInt8]
    let decrypted: [UInt8]
    let features: [PayloadReader.Source]
    let sections: PayloadReader.Sections

    init(_ text: [UInt8], _ reader: PayloadReader) {
      self.text = text
      (decrypted, features, sections) = (reader.decrypted, reader.sources, reader.sections)
    }
  }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - text: The document: JSON in UTF-8.
  ///   - file: The name of its file, which diagnostics include; nil if it has none.
  ///   - format: The format, with the settings of evaluations.
  /// - Throws: A `FlagDocumentError` if the document as a whole cannot be read.
  package init(
    _ text: [UInt8], of file: String? = nil, format: GrowthBookFormat = GrowthBookFormat()
  ) throws(FlagDocumentError) {
    let reader = try PayloadReader.read(text, of: file, format.settings, key: format.decryptionKey)
    diagnostics = reader.found.kept.located(in: text, of: file)
    source = Source(text, reader)
    growthBook = format
    payload = reader.payload
  }

  private func answer(of number: Int, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
    if payload.features[number].rules.isEmpty, payload.features[number].failure == nil {
      return payload.answers[Int(payload.features[number].defaultAnswer)]
    }
    var evaluation = FeatureEvaluation(for: context, stickyBuckets)
    return try answer(to: outcome(of: number, &evaluation), evaluation)
  }

  private func outcome(of number: Int, _ evaluation: inout FeatureEvaluation) throws(FlagError) -> FeatureOutcome {
    do throws(EvaluationFailure) {
      return try evaluation.outcome(of: number, in: payload)
    } catch {
      throw FlagError(error, of: payload)
    }
  }

  private func answer(
    to outcome: FeatureOutcome, _ evaluation: borrowing FeatureEvaluation
  ) throws(FlagError) -> FlagAnswer? {
    switch outcome.source {
    case .prerequisite: return FlagAnswer(nil, reason: .disabled)
    case .cyclicPrerequisite: throw FlagError(.parseError, "the feature is a prerequisite of itself")
    case .unknownFeature, .defaultValue, .force, .experiment:
      guard let answer = outcome.answer else { return nil }
      let fallback = outcome.run.flatMap { $0.usesFallback ? payload.experiments[$0.experiment].unit.fallback : nil }
      if fallback == nil, !evaluation.missesTargetingKey { return payload.answers[answer] }
      var found = payload.answers[answer]
      found.isMissingTargetingKey = evaluation.missesTargetingKey
      if let fallback {
        found.metadata[FlagAnswer.unitAttributeName] = .string(payload.settings.contextName(of: fallback.name))
      }
      return found
    }
  }

  /// Returns the keys of some features, and others, with those of all features that depend on one of them.
  private func keys(of features: [Int], and others: Set<String> = []) -> Set<String> {
    let dependents = payload.dependents
    var keys = others
    var waiting = features + others.flatMap { dependents[$0] ?? [] }
    while let number = waiting.popLast() {
      let key = payload.keys[number]
      if keys.insert(key).inserted { waiting += dependents[key] ?? [] }
    }
    return keys
  }

  private func isSame(_ number: Int, as other: Int, of older: GrowthBookDocument) -> Bool {
    text(of: number) == older.text(of: other)
  }

  /// Returns the text of a feature.
  private func text(of number: Int) -> ArraySlice<UInt8> {
    let feature = source.features[number]
    return (feature.isEncrypted ? source.decrypted : source.text)[feature.range]
  }

  private func listing(of number: Int) -> ListedFlag {
    ListedFlag(key: payload.keys[number], variants: payload.variants(of: number))
  }

  // MARK: Explaining

  /// The maximum number of rules in an explanation.
  private static let explainedRules = 100

  /// Evaluates a feature, and records its rules up to the one that decided, each with whether it did.
  package func explain(_ key: String, in context: EvaluationContext, at seconds: Int64) -> FlagExplanation {
    var explanation = FlagExplanation(key: key)
    guard let number = payload.keys.number(of: key) else { return explanation }
    var evaluation = FeatureEvaluation(for: context, stickyBuckets)
    do throws(FlagError) {
      let outcome = try outcome(of: number, &evaluation)
      let rules = rules(of: number)
      let passed = rules.prefix(outcome.rule.map { $0 + 1 } ?? rules.count)
      explanation.steps = passed.prefix(Self.explainedRules).enumerated().map { index, rule in
        FlagExplanation.Step(rule: rule, value: .bool(index == outcome.rule))
      }
      explanation.omittedSteps = passed.count - explanation.steps.count
      explanation.answer = try answer(to: outcome, evaluation)
    } catch {
      explanation.error = error
    }
    return explanation
  }

  private func rules(of number: Int) -> [FlagValue] {
    do throws(JSONError) {
      return try FlagValue(json: text(of: number)).fields?["rules"]?.elements ?? []
    } catch {
      return []  // The feature is malformed, which is the explanation's error.
    }
  }

  // MARK: Excerpts

  /// The keys of the features that are malformed, or need a feature, saved group or contextual bandit that is.
  package var brokenKeys: Set<String> {
    let broken = payload.features.indices.filter { payload.isBroken($0) }
    return broken.isEmpty ? [] : keys(of: broken)
  }

  /// Returns a document of some features, with the features, saved groups and contextual bandits that they need.
  package func excerpt(of keys: Set<String>) -> any DefinitionDocument {
    var features: [String: FlagValue] = [:]
    var waiting = Array(keys)
    do {
      while let key = waiting.popLast() {
        guard features[key] == nil, let number = payload.keys.number(of: key) else { continue }
        features[key] = try FlagValue(json: text(of: number))
        for rule in payload.features[number].rules {
          waiting += payload.rules[Int(rule)].parents.map { payload.parents[Int($0)].key }
        }
      }
      let texts = FlagValue.object(features).texts
      let bandits = source.sections.bandits.filter { texts.contains($0.key) }
      var groups: [String: FlagValue] = [:]
      var names = Array(texts.union(FlagValue.object(bandits).texts))
      while let name = names.popLast() {
        guard groups[name] == nil, let group = source.sections.groups[name] else { continue }
        groups[name] = group
        names += group.texts
      }
      let document = FlagValue.object([
        "features": .object(features), "savedGroups": .object(groups), "contextualBandits": .object(bandits),
      ])
      return try GrowthBookDocument(document.json(), format: growthBook)
    } catch {
      return self  // What has been read once can be written and read again.
    }
  }
}

extension GrowthBookDocument: DefinitionDocument {
  /// GrowthBook's format, as the document was read in it.
  package var format: any DefinitionFormat { growthBook }

  /// The features in the order of the document.
  package var listed: [ListedFlag] { payload.features.indices.map(listing(of:)) }

  /// Returns the feature with a key; nil if the document has none.
  package func listing(of key: String) -> ListedFlag? { payload.keys.number(of: key).map(listing(of:)) }

  /// Evaluates a feature; no rule depends on the time.
  package func evaluate(
    _ key: String, in context: EvaluationContext, at seconds: @autoclosure () -> Int64
  ) throws(FlagError) -> FlagAnswer? {
    guard let number = payload.keys.number(of: key) else { return nil }
    return try answer(of: number, in: context)
  }

  /// Evaluates a feature that code reads.
  package func evaluate(
    _ key: FlagKey, in context: EvaluationContext, at moment: Int64?, now: () -> Int64
  ) throws(FlagError) -> FlagAnswer? {
    guard let number = payload.keys.number(of: key.utf8) else { return nil }
    return try answer(of: number, in: context)
  }

  /// Returns the names of the attributes that a feature's own rules read; a nested one's name has dots.
  package func attributes(of key: String) -> Set<String> {
    payload.keys.number(of: key).map(payload.attributes(of:)) ?? []
  }

  /// The names of the attributes that experiments count by, with those that they fall back to.
  package var unitAttributes: Set<String> {
    Set(
      payload.experiments.flatMap { $0.unit.fallback.map { [$0] } ?? [] }.map {
        payload.settings.contextName(of: $0.name)
      }
    ).union(payload.answers.compactMap(\.metadata.unitAttribute))
  }

  /// Returns the keys of the features that only one of two documents defines, or that they define differently.
  ///
  /// A feature counts as changed if one that it depends on has changed, or what it uses besides features.
  package func changedKeys(from older: any DefinitionDocument) -> Set<String> {
    guard let older = older as? GrowthBookDocument, older.growthBook == growthBook else {
      return Set(keys).union(older.listed.map(\.key))
    }
    let haveSameSections = source.sections == older.source.sections
    let changed = payload.features.indices.filter { number in
      let key = payload.keys[number]
      guard let other = older.payload.keys.number(of: key) else { return true }
      return !isSame(number, as: other, of: older) || !haveSameSections && payload.features[number].usesSharedParts
    }
    return keys(of: changed, and: Set(older.keys).subtracting(keys))
  }
}

extension Payload {
  /// Returns whether a feature is malformed, or uses a saved group or a contextual bandit that is.
  fileprivate func isBroken(_ feature: Int) -> Bool {
    if features[feature].failure != nil { return true }
    guard features[feature].usesSharedParts else { return false }
    return features[feature].rules.contains { number in
      let rule = rules[Int(number)]
      var conditions = rule.parents.map { parents[Int($0)].condition }
      if let condition = rule.condition { conditions.append(condition) }
      if rule.kind == .experiment {
        let experiment = experiments[Int(rule.number)]
        if experiment.failure != nil { return true }
        conditions += experiment.bandit?.leaves.map(\.condition) ?? []
      }
      return !self.conditions.brokenGroups.isEmpty && conditions.contains { usesBrokenGroup($0) }
    }
  }

  private func usesBrokenGroup(_ condition: UInt32) -> Bool {
    let node = conditions.nodes[Int(condition)]
    switch node.kind {
    case .all, .any, .containsAll:
      return (node.operand..<node.operand + node.count).contains { usesBrokenGroup(conditions.children[Int($0)]) }
    case .not, .size, .elementPasses, .elementFulfils: return usesBrokenGroup(node.operand)
    case .attribute: return usesBrokenGroup(node.count)
    case .isInGroup, .belongsToGroup: return conditions.brokenGroups[Int(node.operand)] != nil
    default: return false
    }
  }
}

extension FlagValue {
  /// The texts in the value, at any depth.
  fileprivate var texts: Set<String> {
    var found: Set<String> = []
    walk { value in
      if let text = value.text { found.insert(text) }
      return value.parts
    }
    return found
  }
}
