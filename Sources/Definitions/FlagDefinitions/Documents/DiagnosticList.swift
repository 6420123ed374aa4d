/// Diagnostics in the order in which they are found: the first ones, up to a limit, and the number of further ones.
package struct DiagnosticList {
  package private(set) var kept: [UnlocatedDiagnostic] = []
  /// The number of diagnostics that were found after the limit was reached.
  package private(set) var omitted = 0
  let limit: Int

  package init(limit: Int) { self.limit = limit }

  package mutating func add(_ diagnostics: [UnlocatedDiagnostic]) {
    let room = min(limit - kept.count, diagnostics.count)
    kept += diagnostics[..<room]
    omitted += diagnostics.count - room
  }

  mutating func add(_ other: DiagnosticList) {
    add(other.kept)
    omitted += other.omitted
  }
}
