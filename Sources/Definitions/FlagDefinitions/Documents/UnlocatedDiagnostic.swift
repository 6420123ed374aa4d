package import FlagDomain
package import FlagJSON

package struct UnlocatedDiagnostic: Hashable, Sendable {
  package var severity = DocumentDiagnostic.Severity.error
  package let path: DocumentPath
  package let message: String
  /// The offset in bytes; nil for the offset of the value at the path.
  package var offset: Int? = nil

  package init(
    severity: DocumentDiagnostic.Severity = .error, path: DocumentPath, message: String, offset: Int? = nil
  ) {
    (self.severity, self.path, self.message, self.offset) = (severity, path, message, offset)
  }

  package init(_ error: JSONError) { self.init(path: error.path, message: "\(error)", offset: error.offset) }

  /// Returns the diagnostic of a document that is inside another value.
  func moved(into outer: DocumentPath) -> Self {
    Self(severity: severity, path: path.steps.reduce(outer) { $0.appending($1) }, message: message, offset: offset)
  }

  /// Creates the diagnostic of a member that is ignored, since a later one has the same name.
  init(_ member: DuplicateMember) {
    guard member.isSameName else {
      self.init(
        path: member.path,
        message: "expected names that differ in more than their Unicode form: \(member.countedName.quoted) counts",
        offset: member.offset)
      return
    }
    self.init(warning: member.path, Self.repeatedMember, offset: member.offset)
  }

  package static let repeatedMember = "expected each member once: only the last one of this name counts"

  package init(_ path: DocumentPath, expected: String, found value: FlagValue?) {
    self.init(path: path, message: "expected \(expected), found \(value?.summary ?? "nothing")")
  }

  /// A flag whose key another one before it has.
  package static func repeatedFlag(_ path: DocumentPath, offset: Int? = nil) -> Self {
    Self(warning: path, "expected each key once: only the last flag of this key counts", offset: offset)
  }

  init(warning path: DocumentPath, _ message: String, offset: Int? = nil) {
    self.init(severity: .warning, path: path, message: message, offset: offset)
  }
}

extension [UnlocatedDiagnostic] {
  package mutating func expect(_ expected: String, at path: DocumentPath, found value: FlagValue?) {
    append(UnlocatedDiagnostic(path, expected: expected, found: value))
  }

  package mutating func fail(_ path: DocumentPath, _ message: String, offset: Int? = nil) {
    append(UnlocatedDiagnostic(path: path, message: message, offset: offset))
  }

  package mutating func warn(_ path: DocumentPath, _ message: String, offset: Int? = nil) {
    append(UnlocatedDiagnostic(warning: path, message, offset: offset))
  }
}
