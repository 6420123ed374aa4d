public import FlagDomain
import Synchronization

/// The model of a console: the flags it shows and the overrides it allows, drawn by web pages, views and terminals.
///
/// ```swift
/// let console = try ConsoleModel(
///   catalogs: client.catalogs, ConsoleModel.Ports(snapshots: client.snapshots, overriding: client.overrides))
/// console.list(FlagQuery("page size")).rows
/// ```
///
/// With a `DefinitionEditor` of the module `FlagConsoleEditor`, it also explains and edits the definitions behind the
/// flags.
///
/// All members may be called from any thread. Nothing waits for the network or a disk, except for writing overrides,
/// which waits for their store.
public final class ConsoleModel: Sendable {
  /// The ports that the console reads from and writes to; features whose port is nil are not offered.
  public struct Ports: Sendable {
    /// Reads and explains flags.
    public var snapshots: any FlagSnapshotting
    /// Sets and clears overrides.
    public var overriding: (any FlagOverriding)?
    /// Writes to providers.
    public var writing: (any FlagWriting)?
    /// Observes changes.
    public var observing: (any FlagObserving)?
    /// Signs test users in.
    public var authenticator: (any UserAuthenticator)?
    /// Registers catalogs while the program runs; nil if the console shows a fixed list of catalogs.
    public var registry: (any FlagCatalogRegistry)?
    /// Keeps the variants of sticky experiments, which the console shows and clears.
    public var stickyBuckets: (any StickyBucketStore)?

    /// Creates ports.
    public init(
      snapshots: any FlagSnapshotting, overriding: (any FlagOverriding)? = nil, writing: (any FlagWriting)? = nil,
      observing: (any FlagObserving)? = nil, authenticator: (any UserAuthenticator)? = nil,
      registry: (any FlagCatalogRegistry)? = nil, stickyBuckets: (any StickyBucketStore)? = nil
    ) {
      (self.snapshots, self.overriding, self.writing) = (snapshots, overriding, writing)
      (self.observing, self.authenticator, self.registry) = (observing, authenticator, registry)
      self.stickyBuckets = stickyBuckets
    }
  }

  /// The settings of a console.
  public struct Options: Sendable {
    /// Whether the console is read-only.
    public var isReadOnly = false
    /// Whether exported overrides can be imported; false in release builds unless the app sets it.
    public var allowsImport: Bool
    /// Whether overrides outlive the console; if not, it says so.
    package var storesOverrides = true
    /// Whether the defaults in the catalogs are those in the code; false for catalogs made from a document, which does
    /// not have them.
    package var knowsDefaults = true
    /// The test users that can be signed in.
    public var testUsers: [FlagUser] = []
    /// The day that expiry dates are compared with; nil if no flag expires.
    public var today: CalendarDay?
    /// Returns the mark of a flag, from its state or anything else that the app knows; nil for every flag by default.
    ///
    /// The closure is called on any thread, each time a flag is shown: it must be fast and must not block.
    public var mark: @Sendable (FlagRow) -> FlagMark? = { _ in nil }
    /// Returns the keys of the flags that no code reads, which are stale; none by default.
    ///
    /// The closure is called on any thread, each time a flag is shown: it must be fast and must not block.
    public var unreadKeys: @Sendable () -> Set<String> = { [] }

    /// Creates the default options.
    public init() {
      #if DEBUG
        allowsImport = true
      #else
        allowsImport = false
      #endif
    }
  }

  /// The ports that the console reads from and writes to.
  package let ports: Ports
  /// The definitions; nil if the console shows flags and overrides alone.
  package let definitions: (any ConsoleDefinitions)?
  /// The settings of the console.
  package let options: Options
  /// The catalogs that are shown, to which more can be added: the registry of the ports, or the console's own.
  package let registry: any FlagCatalogRegistry
  /// The changes that may be made here.
  package let access: ConsoleAccess
  /// The console that this one is a session of; nil if it is none.
  private let origin: ConsoleModel?
  private let state: Locked<State>
  private let subscribers = FlagSubscribers<UInt64>()
  private let subscriptions = Locked<[FlagSubscription]>([])

  private struct State: Sendable {
    var catalogs: [FlagCatalog] = []
    var entries = CatalogEntries([])
    /// The user who was signed in here last; nil before anyone was.
    var user: FlagUser??
    /// The users who were signed in here, and the test users.
    var tried: [FlagUser]
    /// The undo history, newest last.
    var undo: [UndoStep] = []
    var revision: UInt64 = 1
  }

  /// The overrides to restore to undo an action.
  private struct UndoStep: Sendable {
    let title: String
    let overrides: [FlagKey: FlagValue?]
    let number: Int
  }

  /// Creates a console.
  ///
  /// - Parameters:
  ///   - catalogs: The flags that it shows; ignored if the ports have a registry.
  ///   - ports: The ports that it reads from and writes to.
  ///   - options: The settings.
  /// - Throws: ``/FlagDomain/DuplicateFlagKeys`` if two flags share a key.
  public convenience init(
    catalogs: [FlagCatalog], _ ports: Ports, options: Options = Options()
  ) throws(DuplicateFlagKeys) {
    try self.init(catalogs: catalogs, ports, definitions: nil, options: options)
  }

  /// Creates a console with definitions, which may be those of other consoles, too.
  package convenience init(
    catalogs: [FlagCatalog], _ ports: Ports, definitions: (any ConsoleDefinitions)?, options: Options
  ) throws(DuplicateFlagKeys) {
    let registry = ports.registry ?? RegisteredCatalogs(catalogs)
    try DuplicateFlagKeys.check(registry.catalogs)
    self.init(registry: registry, ports, definitions: definitions, options: options)
  }

  /// Creates a console of a registry's catalogs, no two flags of which share a key.
  package init(
    registry: any FlagCatalogRegistry, _ ports: Ports, definitions: (any ConsoleDefinitions)? = nil, options: Options
  ) {
    let catalogs = registry.catalogs
    (self.ports, self.registry, self.options, origin) = (ports, registry, options, nil)
    let access = ConsoleAccess(permission: options.isReadOnly ? .view : .edit)
    (self.access, self.definitions) = (access, definitions?.session(with: access))
    state = Locked(State(catalogs: catalogs, entries: CatalogEntries(catalogs), tried: options.testUsers))
    follow()
  }

  private init(sessionOf console: ConsoleModel, _ access: ConsoleAccess) {
    (origin, ports, registry, options) = (console.shared, console.ports, console.registry, console.options)
    (definitions, self.access) = (console.definitions?.session(with: access), access)
    state = Locked(State(tried: options.testUsers))
    follow()
  }

  /// Returns a console of the same flags for one of several people: with an undo history of its own.
  ///
  /// Signing in there shows that user's flags to that person; the program's user stays. The person, by default that of
  /// this console, is the author of changes and may do what their permission says, unless this console allows less.
  package func session(for person: FlagConsolePerson? = nil, in environment: String? = nil) -> ConsoleModel {
    ConsoleModel(sessionOf: self, access.narrowed(to: person, in: environment))
  }

  private func follow() {
    if let following = definitions?.subscribe({ [weak self] in self?.noteChange() }) { follow(following) }
    if let origin {
      follow(origin.subscribe { [weak self] _ in self?.noteChange() })
      return
    }
    if let changes = ports.observing?.changes() {
      let task = Task { [weak self] in
        for await _ in changes {
          guard let self else { return }
          noteChange()
        }
      }
      follow(FlagSubscription { task.cancel() })
    }
    follow(
      registry.subscribe { [weak self] in
        self?.takeRegistered()
        self?.noteChange()
      })
    takeRegistered()
    if let following = definitions?.follow({ [weak self] in self?.noteChange() }) { follow(following) }
  }

  private func follow(_ subscription: FlagSubscription) { subscriptions.withLock { $0.append(subscription) } }

  deinit { for subscription in subscriptions.withLock({ $0 }) { subscription.cancel() } }

  // MARK: - Changes

  /// The revision of the shown state; each change increments it.
  public var revision: UInt64 { state.withLock { $0.revision } }

  /// Calls a closure with the new revision after each change, until the subscription ends.
  ///
  /// Clearing an override, signing in or out, and new definitions are changes, too. The closure is called on any
  /// thread, with no lock held.
  public func subscribe(_ onChange: @escaping @Sendable (UInt64) -> Void) -> FlagSubscription {
    subscribers.subscribe(onChange)
  }

  private func noteChange() {
    let revision = state.withLock { state in
      state.revision += 1
      return state.revision
    }
    subscribers.notify(revision)
  }

  /// Notifies subscribers of a change of overrides or values, unless the observer will.
  func noteOwnChange() {
    if ports.observing == nil { shared.noteChange() }  // which the sessions follow
  }

  // MARK: - Catalogs

  /// Updates the shown catalogs from the registry, which is read with the lock held so that the latest change wins.
  private func takeRegistered() {
    state.withLock { state in
      let catalogs = registry.catalogs
      (state.catalogs, state.entries) = (catalogs, CatalogEntries(catalogs))
    }
  }

  /// The catalogs of the flags that are shown.
  public var catalogs: [FlagCatalog] { shared.state.withLock { $0.catalogs } }

  var entries: CatalogEntries { shared.state.withLock { $0.entries } }

  private var shared: ConsoleModel { origin ?? self }

  // MARK: - Users

  /// The user who is signed in here; nil for nobody.
  public var user: FlagUser? { state.withLock { $0.user } ?? nil }

  /// The users of this console, for reviews of what a change gives them.
  package var users: ConsoleUsers {
    let context = ports.snapshots.context
    return state.withLock { ConsoleUsers(current: $0.user ?? nil, tried: $0.tried, context: context) }
  }

  /// Whether a test user can be signed in.
  package var allowsSignIn: Bool { isApart || ports.authenticator != nil }

  /// Whether signing in only shows a user's flags here: in a session, and in a console that may change nothing.
  private var isApart: Bool { origin != nil || access.isReadOnly }

  /// Signs a test user in, or signs out if the user is nil.
  ///
  /// In a session and in a read-only console, the user of the program stays; only this console shows the user's flags.
  public func signIn(_ user: FlagUser?) throws(FlagError) {
    if !isApart {
      guard let authenticator = ports.authenticator else {
        throw FlagError(.general, "signing in is turned off in this console")
      }
      authenticator.setUser(user)
    }
    state.withLock { state in
      state.user = user
      guard let user, !state.tried.contains(user) else { return }
      state.tried = state.tried.suffix(Self.maximumTriedUsers - 1) + [user]
    }
    if isApart { noteChange() } else { noteOwnChange() }
  }

  private static let maximumTriedUsers = 20

  /// The user of this console for whom flags are resolved; nil if they are resolved for the program's user.
  var ownUser: FlagUser?? { isApart ? state.withLock { $0.user } : nil }

  /// Returns the flags of the user whom the console asks as.
  func snapshot() -> any FlagSnapshot {
    ownUser.map(ports.snapshots.snapshot(for:)) ?? ports.snapshots.snapshot()
  }

  /// The context of the user whom the console asks as.
  package var context: EvaluationContext { ownUser.map(users.context(of:)) ?? ports.snapshots.context }

  // MARK: - Undo

  /// The change that ``undo()`` reverts, in words; nil if the undo history is empty.
  public var undoTitle: String? { state.withLock { $0.undo.last?.title } }

  /// The number of that change among all of this process; nil if there is none.
  package var undoNumber: Int? { state.withLock { $0.undo.last?.number } }

  /// Reverts the last change of overrides.
  ///
  /// - Returns: The change that was reverted, in words; nil if there was none.
  @discardableResult
  public func undo() throws(FlagError) -> String? {
    try access.check(.override)
    guard let step = state.withLock({ $0.undo.popLast() }) else { return nil }
    do throws(FlagError) {
      try setOverrides(step.overrides)
    } catch {
      state.withLock { $0.undo.append(step) }
      throw error
    }
    noteOwnChange()
    return step.title
  }

  func noteUndo(_ title: String, _ overrides: [FlagKey: FlagValue?]) {
    state.withLock { state in
      state.undo.append(UndoStep(title: title, overrides: overrides, number: ChangeNumber.next()))
      if state.undo.count > 50 { state.undo.removeFirst() }
    }
    noteOwnChange()
  }
}

/// Numbers for the changes that people make, by which the later one of two is known.
package enum ChangeNumber {
  private static let last = Atomic(0)

  /// Returns a number above all before it.
  package static func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
