public import FlagDefinitions
public import FlagDomain
import Foundation

/// The model of a flag browser: what it shows, and what can be done there; the web, views and terminals draw it.
///
/// ```swift
/// let console = try FlagBrowser(
///   catalogs: client.catalogs, FlagBrowser.Ports(snapshots: client.snapshots, overriding: client.overrides))
/// console.list(FlagQuery("page size")).rows
/// ```
///
/// Everything here may be called from any thread. Nothing waits for a network or a disk, but writing overrides and
/// definitions, which wait for their stores.
public final class FlagBrowser: Sendable {
  /// What the console reads from and changes; what is nil it neither shows nor offers.
  public struct Ports: Sendable {
    /// Reads and explains flags.
    public var snapshots: any FlagSnapshotting
    /// Sets and clears overrides.
    public var overriding: (any FlagOverriding)?
    /// Writes to providers.
    public var writing: (any FlagWriting)?
    /// Tells of changes.
    public var observing: (any FlagObserving)?
    /// Signs test users in.
    public var authenticator: (any UserAuthenticator)?
    /// The definitions that are explained and edited.
    public var definitions: (any DefinitionStore)?
    /// What was published of the definitions: what is saved is published there, with who saved it.
    public var publishing: (any PublishedDefinitionStore)?
    /// Which flags there are, where that changes while the program runs; nil for those that the console is given.
    public var registry: (any FlagCatalogRegistry)?

    /// Creates ports.
    public init(
      snapshots: any FlagSnapshotting, overriding: (any FlagOverriding)? = nil, writing: (any FlagWriting)? = nil,
      observing: (any FlagObserving)? = nil, authenticator: (any UserAuthenticator)? = nil,
      definitions: (any DefinitionStore)? = nil, publishing: (any PublishedDefinitionStore)? = nil,
      registry: (any FlagCatalogRegistry)? = nil
    ) {
      self.snapshots = snapshots
      self.overriding = overriding
      self.writing = writing
      self.observing = observing
      self.authenticator = authenticator
      self.definitions = definitions
      self.publishing = publishing
      self.registry = registry
    }
  }

  /// What a console allows, and knows of the world.
  public struct Options: Sendable {
    /// Whether nothing can be changed.
    public var isReadOnly = false
    /// Whether overrides that someone exported can be imported; in release builds not, unless the app says so.
    public var allowsImport: Bool
    /// Users to sign in as.
    public var testUsers: [FlagUser] = []
    /// Who publishes what is saved.
    public var author = "console"
    /// The day that expiry is compared with; nil where nothing expires.
    public var today: CalendarDay?
    /// How flags are marked, from their state or whatever else the app knows of them; unless it says, none is.
    ///
    /// It is called on any thread, for each flag whenever it is shown: it must neither wait nor take long.
    public var mark: @Sendable (FlagRow) -> FlagMark? = { _ in nil }
    /// The time that explained rules see, in seconds since 1970-01-01 UTC: the system's, unless an app says another.
    public var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }

    /// Creates the usual options.
    public init() {
      #if DEBUG
        allowsImport = true
      #else
        allowsImport = false
      #endif
    }
  }

  /// What the console reads from and changes.
  public let ports: Ports
  /// What the console allows.
  public let options: Options
  /// The flags that it shows, to which others can be added: the registry of the ports, or one of its own.
  public let registry: any FlagCatalogRegistry
  let state: Locked<State>
  private let subscribers = Subscribers<UInt64>()
  private let subscriptions = Locked<[FlagSubscription]>([])

  struct State: Sendable {
    var catalogs: [FlagCatalog]
    var entries: CatalogEntries
    var user: FlagUser?
    /// What undoes the actions, the newest last.
    var undo: [UndoStep] = []
    var revision: UInt64 = 1
  }

  /// What undoes an action.
  struct UndoStep: Sendable {
    let title: String
    let overrides: [FlagKey: FlagValue?]
  }

  /// Creates a console.
  ///
  /// - Parameters:
  ///   - catalogs: The flags that it shows; where the ports have a registry, those that are registered count.
  ///   - ports: What it reads from and changes.
  ///   - options: What it allows.
  /// - Throws: ``/FlagDomain/DuplicateFlagKeys`` if two flags share a key.
  public init(
    catalogs: [FlagCatalog], _ ports: Ports, options: Options = Options()
  ) throws(DuplicateFlagKeys) {
    registry = ports.registry ?? RegisteredCatalogs(catalogs)
    let catalogs = registry.catalogs
    try DuplicateFlagKeys.check(catalogs)
    self.ports = ports
    self.options = options
    state = Locked(State(catalogs: catalogs, entries: CatalogEntries(catalogs)))
    follow()
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
    if let definitions = ports.definitions?.subscribe({ [weak self] _ in self?.noteChange() }) {
      subscriptions.withLock { $0.append(definitions) }
    }
  }

  deinit { for subscription in subscriptions.withLock({ $0 }) { subscription.cancel() } }
}

// MARK: - Changes

extension FlagBrowser {
  /// The number of what is shown; each change adds one.
  public var revision: UInt64 { state.withLock { $0.revision } }

  /// Calls a closure with the new revision after each change, until the subscription ends.
  ///
  /// A change is also that of an override that was cleared, of a user, and of the definitions. The closure is called
  /// on any thread, with no lock held.
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
}

// MARK: - Catalogs

extension FlagBrowser {
  /// Shows what is registered by now; of two changes the later one is shown last, since it is read with the lock held.
  private func takeRegistered() {
    state.withLock { state in
      let catalogs = registry.catalogs
      (state.catalogs, state.entries) = (catalogs, CatalogEntries(catalogs))
    }
  }

  /// The flags that are shown, in groups.
  public var catalogs: [FlagCatalog] { state.withLock { $0.catalogs } }
}
