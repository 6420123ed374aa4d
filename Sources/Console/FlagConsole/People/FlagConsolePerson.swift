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
