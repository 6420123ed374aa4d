import FlagDomain

/// The expressions that decide the buckets of a document's splits, and the first flag and experiment that use each.
package struct BucketingIndex {
  /// An expression that decides buckets; equal expressions are the same subject.
  struct Subject: Hashable, Comparable {
    fileprivate let number: Int

    static func < (left: Subject, right: Subject) -> Bool { left.number < right.number }
  }

  private var subjects: [FlagValue: Subject] = [:]
  private var firstFlags: [Subject: String] = [:]
  private var firstExperiments: [Subject: String] = [:]

  package init() {}

  mutating func subject(_ expression: FlagValue) -> Subject {
    let subject = subjects[expression] ?? Subject(number: subjects.count)
    subjects[expression] = subject
    return subject
  }

  /// Records that a flag splits by a subject, and returns the key of an earlier flag that does so, if any.
  ///
  /// For an experiment, it prefers the key of another experiment.
  mutating func use(_ subject: Subject, by key: String, isExperiment: Bool) -> (key: String, isExperiment: Bool)? {
    let first = firstFlags[subject] ?? key
    firstFlags[subject] = first
    guard isExperiment else { return first == key ? nil : (first, false) }
    let experiment = firstExperiments[subject] ?? key
    firstExperiments[subject] = experiment
    return experiment != key ? (experiment, true) : first == key ? nil : (first, false)
  }
}
