import Foundation
package import Testing

/// Software, a right or data that a test needs and a machine may lack.
///
/// A test that needs one says so by a trait, as in `.needs(.python)`. Without it the test is skipped, with a message
/// that says what is missing and how to get it. It is looked for where it is installed, whatever the environment says.
///
/// `FLAGS_REQUIRED` names, with spaces between them, those that must be there: without them a test fails instead of
/// being skipped.
package struct Requirement: Sendable {
  /// The name in `FLAGS_REQUIRED`.
  package let name: String
  /// The missing requirement, and how to get it.
  package let absence: String
  let isThere: @Sendable () -> Bool

  /// Creates a requirement, which is looked for when a test needs it.
  package init(_ name: String, _ absence: String, isThere: @escaping @Sendable () -> Bool) {
    self.name = name
    self.absence = absence
    self.isThere = isThere
  }
}

extension Requirement {
  /// Returns whether it is met; a test is skipped if not.
  ///
  /// - Parameter required: The names of those that must be met.
  /// - Returns: Whether it is met.
  /// - Throws: Where it is not met and must be.
  package func isMet(required: Set<String> = Self.required) throws -> Bool {
    if isThere() { return true }
    guard !required.contains(name) else { throw Missing(description: "\(absence). FLAGS_REQUIRED asks for \(name)") }
    return false
  }

  /// The names in `FLAGS_REQUIRED`.
  package static let required = Set(
    (ProcessInfo.processInfo.environment["FLAGS_REQUIRED"] ?? "").split(separator: " ").map(String.init))

  /// An error that says what is missing.
  package struct Missing: Error, CustomStringConvertible {
    package let description: String
  }
}

package extension Trait where Self == ConditionTrait {
  /// Skips a test, with the reason, if a requirement is missing.
  static func needs(_ requirement: Requirement, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
    .enabled(Comment(rawValue: requirement.absence), sourceLocation: sourceLocation) { try requirement.isMet() }
  }
}
