package import FlagDomain

/// The changes that may be made in a console, and the person who makes them.
package struct ConsoleAccess: Hashable, Sendable {
  /// The person whose session this is; nil if the app does not tell people apart.
  package let person: FlagConsolePerson?
  /// The changes that may be made.
  package let permission: FlagConsolePermission

  /// Creates access.
  package init(person: FlagConsolePerson? = nil, permission: FlagConsolePermission = .edit) {
    (self.person, self.permission) = (person, permission)
  }

  /// Whether nothing may be changed.
  package var isReadOnly: Bool { permission == .view }

  /// Returns the access of a person, or of the same one if it is nil, in an environment: nothing that this one forbids.
  package func narrowed(to person: FlagConsolePerson?, in environment: String?) -> ConsoleAccess {
    let own = environment.flatMap { person?.permissions[$0] } ?? person?.permission ?? .edit
    return ConsoleAccess(person: person ?? self.person, permission: min(own, permission))
  }

  /// The limits of the person's permission, as a sentence; nil for a person who may do everything, and without one.
  package var notice: String? {
    guard let person else { return nil }
    switch permission {
    case .view: return "\(person.name) may look at flags here, and change nothing."
    case .override: return "\(person.name) may override flags here, and not edit their definitions."
    case .edit: return nil
    }
  }

  /// The reason why a change may not be made, as a sentence.
  package var refusal: String { notice ?? "This console is read-only." }

  /// Checks that a change may be made, by default one of definitions or providers.
  package func check(_ needed: FlagConsolePermission = .edit) throws(FlagError) {
    guard permission < needed else { return }
    throw FlagError(.general, notice.map { "not changed: \($0)" } ?? "this console is read-only")
  }
}
