/// A store of the anonymous id of a visitor.
///
/// Every requirement may be called from any thread; the client makes one call at a time.
public protocol AnonymousIDStore: Sendable {
  /// Returns the stored id, or nil if there is none.
  ///
  /// - Throws: An error with location and cause when the id cannot be read, or not yet: a store that is locked must not
  ///   look like one without an id, since another id would be generated and stored.
  func load() throws(FlagError) -> String?

  /// Stores an id; nil deletes it.
  ///
  /// - Throws: An error when it cannot be stored. Then the previous id is unchanged.
  func store(_ id: String?) throws(FlagError)

  /// Stores an id unless there is one, in one atomic step: concurrent callers get the same id.
  ///
  /// - Returns: The id that is stored from then on.
  /// - Throws: An error with the cause; then nothing has changed.
  func storeIfNone(_ id: String) throws(FlagError) -> String

  /// Calls a closure when an id that could not be read may be readable, until the subscription ends.
  ///
  /// The closure may be called from any thread, without a change, and before this returns.
  func subscribe(_ onAvailable: @escaping @Sendable () -> Void) -> FlagSubscription
}

extension AnonymousIDStore {
  /// Never calls the closure: for a store that can be read at once, or never.
  public func subscribe(_ onAvailable: @escaping @Sendable () -> Void) -> FlagSubscription { FlagSubscription {} }

  /// Loads the id, then stores the new one if needed: for a store that no other process uses.
  public func storeIfNone(_ id: String) throws(FlagError) -> String {
    if let id = try load(), !id.isEmpty { return id }
    try store(id)
    return id
  }
}

/// Anonymous ids for visitors, so that rollouts can assign them before they sign in.
///
/// The id is generated when it is first needed, and stays the same for as long as it is stored, also while users sign
/// in and out: rules see it as `visitorID`. It identifies an installation of the app, and may need the user's consent.
public struct AnonymousIDs: Sendable {
  private let ids: any AnonymousIDStore
  private let makeID: @Sendable () -> String

  /// Creates ids in a store.
  ///
  /// - Parameters:
  ///   - store: The store of the id.
  ///   - makeID: Generates a unique id; by default 128 random bits in hexadecimal.
  public init(in store: any AnonymousIDStore, makeID: @escaping @Sendable () -> String = { randomID() }) {
    ids = store
    self.makeID = makeID
  }

  /// Returns the visitor's id, which is generated and stored at the first call.
  ///
  /// - Throws: The store's error. An id that cannot be stored is not used, since the next start would generate another.
  public func id() throws(FlagError) -> String {
    if let id = try ids.load(), !id.isEmpty { return id }
    return try ids.storeIfNone(makeID())
  }

  /// Generates and stores a new id, as for a new visitor; a client that runs takes it by `setAnonymousID(_:)`.
  ///
  /// - Throws: The store's error.
  public func renew() throws(FlagError) -> String {
    let id = makeID()
    try ids.store(id)
    return id
  }

  /// Deletes the id, for example when consent is withdrawn.
  ///
  /// - Throws: The store's error.
  public func forget() throws(FlagError) { try ids.store(nil) }

  /// Calls a closure when an id that could not be read may be readable, until the subscription ends.
  ///
  /// - Parameter onAvailable: Requests the id again; called on any thread, and perhaps before this returns.
  /// - Returns: The subscription.
  public func subscribe(_ onAvailable: @escaping @Sendable () -> Void) -> FlagSubscription {
    ids.subscribe(onAvailable)
  }

  /// Returns 128 random bits in hexadecimal.
  public static func randomID() -> String {
    let digits = String(UInt128.random(in: 0 ... .max), radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }
}
