package import FlagDefinitions

extension DefinitionStoreError {
  /// Creates the error of a publisher that has not seen the newest head.
  package init(conflictIn store: String, expected: PublishedHead?, found: PublishedHead?) {
    self.init(
      .conflict, store: store,
      "expected \(expected.map { "\($0)" } ?? "nothing published"), found \(found.map { "\($0)" } ?? "nothing")")
  }

  /// Creates the error of a part of a published set that cannot be used.
  package init(_ part: BrokenPart, store: String) { self.init(.broken, store: store, "\(part)") }

  /// Creates the error of a publisher that wants to replace a broken head, though the head can be read.
  package init(brokenHeadExpectedIn store: String, found: PublishedHead?) {
    self.init(
      .conflict, store: store,
      "expected a head that cannot be read, found \(found.map { "\($0)" } ?? "nothing published")")
  }

  package init(percent: Int, in range: ClosedRange<Int>, store: String) {
    self.init(
      .notWritten, store: store,
      "expected a share of \(range.lowerBound) to \(range.upperBound) percent of the servers, found \(percent)")
  }
}
