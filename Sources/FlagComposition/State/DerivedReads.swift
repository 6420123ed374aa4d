import FlagDomain

/// The flags that a derived flag's closure reads: those of one state, for one context.
final class DerivedReads: FeatureFlagManager {
  private let state: FlagState
  private let context: EvaluationContext
  private let isReported: Bool
  private let read = Locked((isLasting: true, errors: [FlagError]()))

  init(_ state: FlagState, _ context: EvaluationContext, isReported: Bool) {
    (self.state, self.context, self.isReported) = (state, context, isReported)
  }

  /// Whether what was read is valid for as long as the state, and the errors that were not reported before.
  var outcome: (isLasting: Bool, errors: [FlagError]) { read.withLock { $0 } }

  func variation<Value>(for flag: some FeatureFlag<Value>) -> Value {
    var decision = Decision(isReported: isReported)
    let value = state.value(of: flag, in: context, &decision)
    read.withLock { read in
      read.isLasting = read.isLasting && decision.isLasting
      read.errors += decision.newErrors
    }
    return value
  }
}
