import FlagDomain

/// What decides the buckets of a document's splits, and which flag does so first.
struct BucketingIndex {
  /// One expression that decides buckets; equal ones are one.
  struct Subject: Hashable, Comparable {
    fileprivate let number: Int

    static func < (left: Subject, right: Subject) -> Bool { left.number < right.number }
  }

  private var subjects: [FlagValue: Subject] = [:]
  private var firstFlags: [Subject: String] = [:]

  /// Returns the subject that an expression is.
  mutating func subject(_ expression: FlagValue) -> Subject {
    let subject = subjects[expression] ?? Subject(number: subjects.count)
    subjects[expression] = subject
    return subject
  }

  /// Notes that a flag splits by a subject, and returns the key of another flag that did so before.
  mutating func use(_ subject: Subject, by key: String) -> String? {
    let first = firstFlags[subject] ?? key
    firstFlags[subject] = first
    return first == key ? nil : first
  }
}
