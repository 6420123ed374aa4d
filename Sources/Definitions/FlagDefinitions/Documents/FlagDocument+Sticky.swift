import FlagDomain

extension FlagDocument {
  /// Returns an answer with the variant that its unit was given first, if the flag is a sticky experiment, and keeps
  /// the first one.
  @inline(__always)
  func keeping(_ answer: FlagAnswer, of flag: FlagDefinition, in context: EvaluationContext) -> FlagAnswer {
    flag.stickyVersion == nil || stickyBuckets == nil ? answer : sticky(answer, of: flag, in: context, isSaved: true)
  }

  /// Returns an answer of a sticky experiment; only one of a split is assigned, and only such a one is replaced.
  @inline(never)
  func sticky(
    _ answer: FlagAnswer, of flag: FlagDefinition, in context: EvaluationContext, isSaved: Bool
  ) -> FlagAnswer {
    guard let store = stickyBuckets, let version = flag.stickyVersion, answer.reason == .split,
      let variant = answer.variant, let unit = StickyBucketUnit(of: answer.metadata, in: context)
    else { return answer }
    let name = "\(flag.key)__\(version)"
    guard let kept = store.assignments(of: unit)[name], let index = flag.variants.index(ofVariant: kept) else {
      if isSaved { store.save([name: variant], of: unit) }
      return answer
    }
    var answer = answer
    (answer.variant, answer.value) = (kept, flag.variants[index].value)
    return answer
  }
}
