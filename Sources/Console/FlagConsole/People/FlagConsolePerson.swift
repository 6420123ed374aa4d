package import FlagDomain

/// The person who uses a console, as the app that mounts its pages knows them, and what they may do.
///
/// ```swift
/// FlagConsolePerson("maria", may: .edit, ["prod": .view])
/// ```
public struct FlagConsolePerson: Hashable, Sendable {
  /// The name, for history and notices: how the app calls the person, with nothing that may change within a session.
  public var name: String
  /// The permission in environments that have none of their own, and in a console that is alone.
  public var permission: FlagConsolePermission
  /// The permissions in environments, by their names.
  public var permissions: [String: FlagConsolePermission]

  /// Creates a person.
  ///
  /// - Parameters:
  ///   - name: The name, for history and notices.
  ///   - permission: The permission in all other environments.
  ///   - permissions: The permissions in environments, by their names.
  public init(
    _ name: String, may permission: FlagConsolePermission, _ permissions: [String: FlagConsolePermission] = [:]
  ) {
    (self.name, self.permission, self.permissions) = (name, permission, permissions)
  }
}

/// The changes that a person may make in a console; each permission includes those before it.
public enum FlagConsolePermission: Int, CaseIterable, Comparable, Hashable, Sendable {
  /// To look at flags, definitions and history, and to ask as any user.
  case view
  /// To override flags in the program, too, and to undo and import overrides.
  case override
  /// To write to providers, and to edit, promote and restore definitions, too.
  case edit

  /// Returns whether a permission includes less than another one.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The changes that may be made in a console, and the person who makes them.
package struct ConsoleAccess: Hashable, Sendable {
  /// The person whose session this is; nil if the app does not tell people apart.
  package let person: FlagConsolePerson?
  /// The changes that may be made.
  package let permission: FlagConsolePermission

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

/// The users of a console, for whom reviews show what a change gives them.
package struct ConsoleUsers: Sendable {
  /// The current user; nil for nobody.
  package let current: FlagUser?
  /// The users who were tried besides the current one.
  package let tried: [FlagUser]
  private let context: EvaluationContext

  /// Creates users, who all have the attributes of the program's context.
  package init(current: FlagUser? = nil, tried: [FlagUser] = [], context: EvaluationContext = EvaluationContext()) {
    (self.current, self.context) = (current, context)
    self.tried = tried.filter { $0 != current }
  }

  package func context(of user: FlagUser?) -> EvaluationContext {
    var context = context
    context.user = user
    return context
  }
}
