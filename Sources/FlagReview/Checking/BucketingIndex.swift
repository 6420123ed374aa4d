import FlagDomain

/// What decides the buckets of a document's splits, and which flag and which experiment do so first.
struct BucketingIndex {
  /// One expression that decides buckets; equal ones are one.
  struct Subject: Hashable, Comparable {
    fileprivate let number: Int

    static func < (left: Subject, right: Subject) -> Bool { left.number < right.number }
  }

  private var subjects: [FlagValue: Subject] = [:]
  private var firstFlags: [Subject: String] = [:]
  private var firstExperiments: [Subject: String] = [:]

  mutating func subject(_ expression: FlagValue) -> Subject {
    let subject = subjects[expression] ?? Subject(number: subjects.count)
    subjects[expression] = subject
    return subject
  }

  /// Notes that a flag splits by a subject, and returns the key of another flag that did so before.
  ///
  /// Of an experiment it is that of another experiment, where there is one.
  mutating func use(_ subject: Subject, by key: String, isExperiment: Bool) -> (key: String, isExperiment: Bool)? {
    let first = firstFlags[subject] ?? key
    firstFlags[subject] = first
    guard isExperiment else { return first == key ? nil : (first, false) }
    let experiment = firstExperiments[subject] ?? key
    firstExperiments[subject] = experiment
    return experiment != key ? (experiment, true) : first == key ? nil : (first, false)
  }
}
