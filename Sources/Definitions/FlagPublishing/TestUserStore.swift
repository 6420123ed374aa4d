public import FlagDomain

/// A user with a name for trying changes of definitions.
public struct TestUser: Hashable, Sendable {
  /// The name, which distinguishes the users of one store.
  public var name: String
  /// The attributes, as rules name them; the id is the `targetingKey`.
  public var attributes: [String: FlagValue]

  /// Creates a test user.
  public init(name: String, attributes: [String: FlagValue]) {
    self.name = name
    self.attributes = attributes
  }
}

/// A store of test users, kept beside definitions: the port that consoles depend on.
///
/// Every requirement may be called from any thread.
public protocol TestUserStore: Sendable {
  /// The name of the store in messages, such as a path.
  var name: String { get }

  /// The users that were read or written last, in order; it does not wait for a disk or the network.
  var current: [TestUser] { get }

  /// Reads the users again, and returns when that is done.
  ///
  /// - Throws: The reason why they cannot be read; the current users stay.
  func refresh() async throws(FlagError)

  /// Changes the users, while no one else does.
  ///
  /// - Parameter edit: Returns the new users; it may be called several times.
  /// - Throws: The error of the closure, or the reason why the users cannot be read or written. Nothing is changed
  ///   then.
  func change(_ edit: @escaping @Sendable ([TestUser]) throws(FlagError) -> [TestUser]) async throws(FlagError)
}
