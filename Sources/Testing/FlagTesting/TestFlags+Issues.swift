import FlagDomain
import Testing

extension TestFlags {
  /// Returns a closure that records an issue when an unset flag is read.
  ///
  /// Swift Testing knows the current test only in the tasks of that test. A manager belongs to the test in which it is
  /// created, whichever thread reads it. Outside a test nobody would see the issue, and a test that should fail would
  /// pass, so the closure stops the program instead.
  ///
  /// - Parameter sourceLocation: The line of the test that the issue is reported at.
  /// - Returns: The closure.
  static func issueRecorder(at sourceLocation: SourceLocation) -> @Sendable (FlagKey) -> Void {
    let isOfTest = Test.current != nil
    return { key in
      let message = "the flag \(key) was read, and the test has not set it"
      guard isOfTest || Test.current != nil else {
        fatalError(
          "\(message); outside of Swift Testing, TestFlags(onUnset: { XCTFail(\"\\($0)\") }) goes on from here")
      }
      Issue.record(Comment(rawValue: message), sourceLocation: sourceLocation)
    }
  }
}
