public import FlagDefinitions
public import FlagDomain
import FlagEditing
public import FlagPublishing
import Foundation

/// The model of a console: the flags it shows and the changes it allows, drawn by web pages, views and terminals.
///
/// ```swift
/// let console = try ConsoleModel(
///   catalogs: client.catalogs, ConsoleModel.Ports(snapshots: client.snapshots, overriding: client.overrides))
/// console.list(FlagQuery("page size")).rows
/// ```
///
/// All members may be called from any thread. Nothing waits for the network or a disk, except for writing overrides and
/// definitions, which waits for their stores.
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
    /// Stores the definitions that are explained and edited.
    public var definitions: (any DefinitionStore)?
    /// Keeps the history of the definitions; saved changes are published there, with their author.
    public var publishing: (any DefinitionHistory)?
    /// Stores the test users, whose variants before and after a change are shown.
    public var testUsers: (any TestUserStore)?
    /// Registers catalogs while the program runs; nil if the console shows a fixed list of catalogs.
    public var registry: (any FlagCatalogRegistry)?

    /// Creates ports.
    public init(
      snapshots: any FlagSnapshotting, overriding: (any FlagOverriding)? = nil, writing: (any FlagWriting)? = nil,
      observing: (any FlagObserving)? = nil, authenticator: (any UserAuthenticator)? = nil,
      definitions: (any DefinitionStore)? = nil, publishing: (any DefinitionHistory)? = nil,
      testUsers: (any TestUserStore)? = nil, registry: (any FlagCatalogRegistry)? = nil
    ) {
      self.snapshots = snapshots
      self.overriding = overriding
      self.writing = writing
      self.observing = observing
      self.authenticator = authenticator
      self.definitions = definitions
      self.publishing = publishing
      self.testUsers = testUsers
      self.registry = registry
    }
  }

  /// The settings of a console.
  public struct Options: Sendable {
    /// Whether the console is read-only.
    public var isReadOnly = false
    /// Whether exported overrides can be imported; false in release builds unless the app sets it.
    public var allowsImport: Bool
    /// Whether overrides outlive the console; if not, it says so.
    public var storesOverrides = true
    /// Whether the defaults in the catalogs are those in the code; false for catalogs made from a document, which does
    /// not have them.
    public var knowsDefaults = true
    /// The test users that can be signed in.
    public var testUsers: [FlagUser] = []
    /// The attributes of own users, who are asked for the effect of a change; empty to assume attributes.
    public var ownUsers: [[String: FlagValue]] = []
    /// The number of users to ask for the effect of a change.
    public var askedUsers = 2000
    /// The author of published changes.
    public var author = "console"
    /// The day that expiry dates are compared with; nil if no flag expires.
    public var today: CalendarDay?
    /// Returns the mark of a flag, from its state or anything else that the app knows; nil for every flag by default.
    ///
    /// The closure is called on any thread, each time a flag is shown: it must be fast and must not block.
    public var mark: @Sendable (FlagRow) -> FlagMark? = { _ in nil }
    /// Returns the places in code that read the flag of a key, such as "Sources/Feed.swift:12:5", or nil if that cannot
    /// be found out; nil if no code was given.
    ///
    /// The closure is called on any thread, for pages that rename, retire or delete a flag.
    public var readers: (@Sendable (_ key: String) async -> [String]?)?
    /// Returns the keys of the flags that no code reads, which are stale; none by default.
    ///
    /// The closure is called on any thread, each time a flag is shown: it must be fast and must not block.
    public var unreadKeys: @Sendable () -> Set<String> = { [] }
    /// Returns the time for explaining rules, in seconds since 1970-01-01 UTC; the system's time by default.
    public var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }

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
  /// The settings of the console.
  package let options: Options
  /// The catalogs that are shown, to which more can be added: the registry of the ports, or the console's own.
  package let registry: any FlagCatalogRegistry
  let state: Locked<State>
  /// The change of the definitions that was checked last.
  let lastChecked = Locked<CheckedChange?>(nil)
  /// The text in which flags were looked up last.
  let lastSources = Locked<DocumentSources?>(nil)
  let latestFacts = Locked<DefinitionFacts?>(nil)
  private let subscribers = Subscribers<UInt64>()
  private let subscriptions = Locked<[FlagSubscription]>([])

  /// The console that this one is a session of; nil if it is none.
  let origin: ConsoleModel?
  /// The person whose session this is; nil if the app does not tell people apart.
  package let person: FlagConsolePerson?
  /// The changes that may be made here.
  package let permission: FlagConsolePermission

  struct State: Sendable {
    var catalogs: [FlagCatalog] = []
    var entries = CatalogEntries([])
    var user: FlagUser?
    /// Whether flags are resolved for the user of this console, and not for that of the program.
    var asksAsUser = false
    /// The users who were signed in here, and the test users.
    var tried: [FlagUser] = []
    /// The undo history, newest last.
    var undo: [UndoStep] = []
    /// The reason why the test users could not be read.
    var testUsersProblem: FlagError?
    /// The change of definitions that was saved last.
    var saved: SavedChange?
    var revision: UInt64 = 1
    /// The suggestions for rules, and the version of the document that they were collected from.
    var suggestions: (version: DefinitionVersion, testUsers: [TestUser], suggestions: RuleSuggestions)?
  }

  /// The overrides to restore to undo an action.
  struct UndoStep: Sendable {
    let title: String
    let overrides: [FlagKey: FlagValue?]
  }

  /// Creates a console.
  ///
  /// - Parameters:
  ///   - catalogs: The flags that it shows; ignored if the ports have a registry.
  ///   - ports: The ports that it reads from and writes to.
  ///   - options: The settings.
  /// - Throws: ``/FlagDomain/DuplicateFlagKeys`` if two flags share a key.
  public init(
    catalogs: [FlagCatalog], _ ports: Ports, options: Options = Options()
  ) throws(DuplicateFlagKeys) {
    registry = ports.registry ?? RegisteredCatalogs(catalogs)
    let catalogs = registry.catalogs
    try DuplicateFlagKeys.check(catalogs)
    self.ports = ports
    self.options = options
    (origin, person, permission) = (nil, nil, options.isReadOnly ? .view : .edit)
    state = Locked(State(catalogs: catalogs, entries: CatalogEntries(catalogs), tried: options.testUsers))
    follow()
  }

  private init(sessionOf console: ConsoleModel, for person: FlagConsolePerson?, in environment: String?) {
    (origin, ports, registry) = (console.origin ?? console, console.ports, console.registry)
    var options = console.options
    let permission = min(person?.permission(in: environment) ?? .edit, console.permission)
    if permission == .view { options.isReadOnly = true }
    if let person { options.author = person.name }
    (self.person, self.permission, self.options) = (person ?? console.person, permission, options)
    state = Locked(State(tried: options.testUsers))
    let following = (console.origin ?? console).subscribe { [weak self] _ in self?.noteChange() }
    subscriptions.withLock { $0.append(following) }
  }

  /// Returns a console of the same flags for one of several people: with an undo history of its own.
  ///
  /// Signing in there shows that user's flags to that person; the program's user stays.
  ///
  /// - Parameters:
  ///   - person: The person, who is the author of changes and may do what their permission says, unless this console
  ///     allows less; nil for the person of this console.
  ///   - environment: The environment of this console, which the person may have a permission for.
  /// - Returns: The console.
  package func session(for person: FlagConsolePerson? = nil, in environment: String? = nil) -> ConsoleModel {
    ConsoleModel(sessionOf: self, for: person, in: environment)
  }

  private func follow() {
    if let changes = ports.observing?.changes() {
      let task = Task { [weak self] in
        for await _ in changes {
          guard let self else { return }
          noteChange()
        }
      }
      subscriptions.withLock { $0.append(FlagSubscription { task.cancel() }) }
    }
    let following = registry.subscribe { [weak self] in
      self?.takeRegistered()
      self?.noteChange()
    }
    subscriptions.withLock { $0.append(following) }
    takeRegistered()
    if ports.testUsers != nil { Task { [weak self] in await self?.refreshTestUsers() } }
    if let definitions = ports.definitions?.subscribe({ [weak self] _ in self?.noteChange() }) {
      subscriptions.withLock { $0.append(definitions) }
    }
  }

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

  func noteChange() {
    let revision = state.withLock { state in
      state.revision += 1
      return state.revision
    }
    subscribers.notify(revision)
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
}
