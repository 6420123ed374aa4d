import FlagDomain
import FlagSupport

/// A set of known names, which suggests the closest one for a misspelled name.
package struct KnownNames {
  private let names: Set<String>

  package init(_ names: some Collection<String>) { self.names = Set(names) }

  package var isEmpty: Bool { names.isEmpty }

  /// Returns whether a name is in the set, compared by code units.
  package func contains(_ name: String) -> Bool {
    // Swift compares strings by canonical equivalence, so equal strings can have different code units.
    names.firstIndex(of: name).map { names[$0].isIdentical(to: name) } ?? false
  }

  package func subtracting(_ others: Set<String>) -> [String] { names.subtracting(others).sorted() }

  /// Returns a question such as `: did you mean "on"?`, or an empty string if no name is close.
  package func question(_ name: String) -> String {
    closest(to: name).map { ": did you mean \(FlagValue.string($0))?" } ?? ""
  }

  /// Returns the name that is closest to a wrong one; nil if no name is close.
  package func closest(to name: String) -> String? { names.closest(to: name) }
}
