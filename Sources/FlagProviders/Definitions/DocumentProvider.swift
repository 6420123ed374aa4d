public import FlagDefinitions
public import FlagDomain
import FlagFiles
public import FlagFoundation

/// A provider that evaluates definitions: those of a document, a file, or any other store.
///
/// ```swift
/// try InHouseProvider(contentsOf: file)
/// DefinitionStoreProvider(try HTTPDefinitionStore(url))
/// ```
///
/// The format is a part of its type: ``InHouseProvider`` reads flagd's format alone, and has no initializer for a
/// vendor's service. ``DefinitionStoreProvider`` serves any store, in the format of the store.
///
/// - *Reads* never wait: they see the last good definitions, and each change as a whole.
/// - *Failures.* While a store cannot be read or served, its last good definitions stay in use, with the reason
///   `STALE`; those that an earlier run cached have the reason `CACHED`. A flag that is malformed, or needs what is,
///   keeps its last good definition, with the reason `STALE`; without one it is an error of code `PARSE_ERROR`. The
///   others are served.
/// - *Time.* If rules compare the time with numbers, answers are cached until the next instant at which the result of a
///   comparison changes. Then subscribers are notified of the flags that this may change.
///
/// Everything here may be used from any thread. A store is followed until the provider is released.
public final class DocumentProvider<Format: Sendable>: Sendable {
  typealias Content = Served<TimedDefinitions>

  /// The provider's name.
  public let name: String
  private let clock: WallClock
  package let store: (any DefinitionStore)?
  private let content: ObservableContent<Content>
  private let alarm: InstantAlarm
  /// The subscription to a store, or to a file.
  let following = Locked<FlagSubscription?>(nil)

  private init(_ content: Content, of store: (any DefinitionStore)?, name: String, clock: WallClock) {
    self.name = name
    self.clock = clock
    self.store = store
    let content = ObservableContent(content)
    self.content = content
    alarm = InstantAlarm(clock, next: { content.current.current?.content.nextInstant }) {
      let now = clock.now()
      content.update { $0.edit { $0.moment = now } }
    }
    alarm.reset()
  }

  /// Creates a provider of a store's definitions in a format, which follows the store.
  package convenience init(following store: any DefinitionStore, name: String, clock: WallClock = .system) {
    self.init(Served(), of: store, name: name, clock: clock)
    let subscription = store.subscribe { [weak self] update in
      self?.take { store.status.after(update) }
    }
    following.withLock { $0 = subscription }
    take { store.status }
  }

  /// Creates a provider of a document in a format.
  convenience init(serving document: any DefinitionDocument, name: String, clock: WallClock) {
    var content = Content()
    content.accept(document, TimedDefinitions.Setting(provider: name, clock: clock))
    self.init(content, of: nil, name: name, clock: clock)
  }

  /// Creates a provider that serves a document until there is another one; nil for none.
  convenience init(bundled: (any DefinitionDocument)?, name: String) {
    let setting = TimedDefinitions.Setting(provider: name, clock: .system)
    var content = Content(bundled: bundled.map { TimedDefinitions($0, setting) })
    content.begin(with: .success(nil))
    self.init(content, of: nil, name: name, clock: .system)
  }

  /// Keeps the document, as one that may be out of date.
  func fail(with error: any Error) {
    let problem =
      switch error {
      case let error as FlagDocumentError:
        FlagError(.parseError, error.diagnostics.prefix(3).map(\.description).joined(separator: "; "))
      case let error as FlagError: error
      default: FlagError(.general, "\(error)")
      }
    update { content, _ in content.fail(problem.named(name)) }
  }

  private func take(_ status: () -> DefinitionStatus) {
    let setting = TimedDefinitions.Setting(provider: name, clock: clock)
    content.read(status) { $0.take($1, setting) }
    alarm.reset()
  }

  private func update(_ change: (inout Content, TimedDefinitions.Setting) -> Void) {
    let setting = TimedDefinitions.Setting(provider: name, clock: clock)
    content.update { change(&$0, setting) }
    alarm.reset()
  }
}

/// A provider of the definitions of any store, in the format of the store.
public typealias DefinitionStoreProvider = DocumentProvider<any DefinitionFormat>

extension DocumentProvider where Format == any DefinitionFormat {
  /// Creates a provider of a store's definitions, which follows the store.
  ///
  /// - Parameters:
  ///   - store: The store; for several sets of definitions, a `MergedDefinitionStore`.
  ///   - name: The provider's name.
  ///   - clock: The time that rules see.
  public convenience init(_ store: any DefinitionStore, name: String = "definitions", clock: WallClock = .system) {
    self.init(following: store, name: name, clock: clock)
  }

  /// Creates a provider of a document.
  ///
  /// - Parameters:
  ///   - document: The definitions.
  ///   - name: The provider's name; nil for the name of the document's format.
  ///   - clock: The time that rules see.
  public convenience init(
    _ document: any DefinitionDocument, name: String? = nil, clock: WallClock = .system
  ) {
    self.init(serving: document, name: name ?? document.format.name, clock: clock)
  }

  /// Replaces the document, and notifies subscribers of the flags that are defined differently.
  public func update(with document: any DefinitionDocument) { update { $0.accept(document, $1) } }
}

/// A provider of definitions in the in-house format, which is flagd's.
public typealias InHouseProvider = DocumentProvider<InHouseFormat>

extension DocumentProvider where Format == InHouseFormat {
  /// Creates a provider of a document.
  ///
  /// - Parameters:
  ///   - document: The definitions.
  ///   - name: The provider's name.
  ///   - clock: The time that rules see.
  public convenience init(_ document: FlagDocument, name: String = "in-house", clock: WallClock = .system) {
    self.init(serving: document, name: name, clock: clock)
  }

  /// Creates a provider of a document, which reads the time at each evaluation of a rule that depends on it.
  ///
  /// - Parameters:
  ///   - document: The definitions.
  ///   - name: The provider's name.
  ///   - now: Returns the time that rules see, in seconds since 1970-01-01 UTC.
  public convenience init(
    _ document: FlagDocument, name: String = "in-house", now: @escaping @Sendable () -> Int64
  ) {
    self.init(document, name: name, clock: WallClock(now: now))
  }

  /// Replaces the document, and notifies subscribers of the flags that are defined differently.
  public func update(with document: FlagDocument) { update { $0.accept(document, $1) } }
}

extension DocumentProvider where Format: DefinitionFormat {
  /// Creates a provider of a document.
  ///
  /// - Parameters:
  ///   - data: The document's bytes.
  ///   - name: The provider's name; nil for the name of the format.
  ///   - format: The format, with its settings.
  /// - Throws: A `FlagDocumentError` with everything that prevents the document from being served.
  public convenience init(
    data: Data, name: String? = nil, format: Format = Format()
  ) throws(FlagDocumentError) {
    self.init(serving: try format.read(Array(data), of: nil), name: name ?? format.name, clock: .system)
  }

  /// Replaces the document by another of the same format, and notifies subscribers of the flags that are defined
  /// differently.
  ///
  /// - Throws: A `FlagDocumentError` with everything that prevents the document from being served. Then the previous
  ///   one stays in use.
  public func update(with data: Data) throws(FlagDocumentError) {
    try update(with: data, of: nil, document?.format ?? Format())
  }

  /// Replaces the document by that of a file, whose name appears in diagnostics.
  func update(with data: Data, of file: String?, _ format: any DefinitionFormat) throws(FlagDocumentError) {
    let document = try format.read(Array(data), of: file)
    update { $0.accept(document, $1) }
  }
}

extension DocumentProvider {
  /// The document that is served; nil until there is one.
  public var document: (any DefinitionDocument)? { content.current.current?.content.document }

  /// The diagnostics of single flags of the document.
  public var diagnostics: [DocumentDiagnostic] { document?.diagnostics ?? [] }
}

extension DocumentProvider: FlagProvider {
  /// Returns the current definitions.
  public func snapshot() -> any ProviderSnapshot { content.current.snapshot(for: nil, of: name) }

  /// Calls a closure after every change, until the subscription ends.
  public func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    content.subscribe(onChange)
  }

  /// The provider's status; a provider of a document is ready from the beginning.
  public var providerStatus: ProviderStatus { content.current.status }

  /// Reads the store again, and waits until that has finished.
  ///
  /// - Throws: The reason why its definitions cannot be read or served; the previous ones stay in use.
  public func refresh() async throws(FlagError) {
    do throws(DefinitionStoreError) {
      try await store?.refresh()
    } catch {
      throw FlagError(error).named(name)
    }
  }
}

extension Served where Content == TimedDefinitions {
  /// Accepts a document as the newest.
  fileprivate mutating func accept(_ document: any DefinitionDocument, _ setting: TimedDefinitions.Setting) {
    let content = TimedDefinitions(document, setting, replacing: (newest ?? current)?.content)
    accept(Version(content: content, origin: .source))
  }

  fileprivate mutating func take(_ status: DefinitionStatus, _ setting: TimedDefinitions.Setting) {
    if let stored = status.definitions {
      let isKnown = newest.map { $0.content.text == stored.text && $0.tag == stored.version.rawValue } ?? false
      if isKnown, status.origin == .store {
        _ = confirm(at: status.fetchedAt)
      } else {
        let content = TimedDefinitions(
          stored.document, setting, text: stored.text, replacing: (newest ?? current)?.content)
        var version = Version(
          content: content, origin: .source, fetchedAt: status.fetchedAt, tag: stored.version.rawValue)
        switch status.origin {
        case .store: accept(version)
        case .cached, .bundled:
          version.origin = status.origin == .cached ? .cache : .bundle
          begin(with: .success(version))
        }
      }
    }
    settle(
      if: status.isSettled, failure: status.failure?.named(setting.provider), findings: status.findings,
      updates: status.updates)
  }
}

extension DefinitionStatus {
  /// Adds the failure of an update, if the store's own status has none.
  fileprivate func after(_ update: Result<StoredDefinitions, DefinitionStoreError>) -> DefinitionStatus {
    guard case .failure(let error) = update, failure == nil else { return self }
    var status = self
    (status.failure, status.isSettled) = (FlagError(error), true)
    return status
  }
}

extension FlagError {
  fileprivate func named(_ provider: String) -> FlagError {
    var error = self
    error.provider = provider
    return error
  }
}
