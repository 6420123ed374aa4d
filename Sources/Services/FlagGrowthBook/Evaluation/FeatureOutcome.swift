import FlagDomain

/// The result of evaluating a feature, by the numbers of its parts.
struct FeatureOutcome: Sendable {
  /// The origin of the value, by GrowthBook's names.
  enum Source: String, Sendable {
    case unknownFeature, defaultValue, force, experiment, prerequisite, cyclicPrerequisite
  }

  let source: Source
  /// The number of the rule that decided, counted in the feature from 0; nil if none did.
  var rule: Int?
  /// The number of the answer; nil if the feature has no value.
  var answer: Int?
  /// The run of the experiment that gave the value.
  var run: ExperimentRun?
}

/// The result of running an experiment for a user.
struct ExperimentRun: Sendable {
  /// The number of the experiment.
  let experiment: Int
  /// The number of the variation; 0 for a user who is not in the experiment.
  var variation = 0
  var isIncluded = false
  /// Whether the variation was chosen by the user's bucket.
  var isHashed = false
  /// Whether the user was assigned by the experiment's fallback attribute.
  var usesFallback = false
  var bucket: Double?
  /// Whether the variation was kept from an earlier run.
  var isSticky = false
  /// The number of the leaf of a contextual bandit; nil for the bandit's own weights.
  var leaf: Int?
}

/// The reason why a feature could not be evaluated.
enum EvaluationFailure: Error {
  /// A part is malformed; the message with this number says why.
  case broken(message: UInt32)
  case tooManySteps
  case tooManyParents
  case tooManyGroups
}

extension FlagError {
  init(_ failure: EvaluationFailure, of payload: Payload) {
    switch failure {
    case .broken(let message): self.init(.parseError, payload.conditions.messages[Int(message)])
    case .tooManySteps: self.init(.general, "the rules take more than \(FeatureEvaluation.steps) steps")
    case .tooManyParents:
      self.init(.general, "prerequisites depend on each other over more than \(FeatureEvaluation.levels) levels")
    case .tooManyGroups:
      self.init(.general, "saved groups need each other over more than \(FeatureEvaluation.maximumGroupLevels) levels")
    }
  }
}
