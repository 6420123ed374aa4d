public import FlagDefinitions
public import FlagDomain
import FlagFiles
public import Foundation

/// A provider that evaluates definitions in the in-house format, which is flagd's.
///
/// ```swift
/// try InHouseProvider(contentsOf: file)
/// ```
///
/// A flag whose own entry is malformed is an error of code `PARSE_ERROR`; the others are served.
public final class InHouseProvider: Sendable {
  /// The provider's name.
  public let name: String
  private let live: ObservableContent<Definitions>
  private let alarm: InstantAlarm
  /// Follows a file, if the provider was created to.
  let follower = Locked<FileFollower?>(nil)

  /// Creates a provider that serves a document.
  ///
  /// Where rules compare the time with numbers, answers are kept until the next instant at which a comparison comes out
  /// differently. Then subscribers are notified of the flags that this may change.
  ///
  /// - Parameters:
  ///   - document: The definitions.
  ///   - name: The provider's name.
  ///   - clock: The time that rules see.
  public init(_ document: FlagDocument, name: String = "in-house", clock: WallClock = .system) {
    self.name = name
    let live = ObservableContent(
      Definitions(timed: TimedDocument(document, at: clock.moment), provider: name, clock: clock))
    self.live = live
    alarm = InstantAlarm(clock, next: { live.current.timed.nextInstant }) {
      live.update { $0.timed.seconds = clock.now() }
    }
    alarm.reset()
  }
}

extension InHouseProvider {
  /// Creates a provider that serves a document: JSON in UTF-8.
  ///
  /// - Throws: A `FlagDocumentError` with everything that keeps the document from being served.
  public convenience init(data: Data) throws(FlagDocumentError) { self.init(try FlagDocument(parsing: data)) }

  /// Creates a provider that serves a document, and asks for the time at each evaluation of a rule that looks at it.
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

  /// The document that is served.
  public var document: FlagDocument { live.current.timed.document }

  /// The diagnostics of single flags of the document.
  public var diagnostics: [DocumentDiagnostic] { document.diagnostics }

  /// Replaces the document, and notifies subscribers of the flags that are defined differently.
  public func update(with document: FlagDocument) {
    live.update { content in content.timed = TimedDocument(document, at: content.clock.moment) }
    alarm.reset()
  }

  /// Replaces the document: JSON in UTF-8.
  ///
  /// - Throws: A `FlagDocumentError` with everything that keeps the document from being served. Then the previous one
  ///   stays in use.
  public func update(with data: Data) throws(FlagDocumentError) {
    try update(with: data, of: nil)
  }

  /// Serves the document that is in some data, which diagnostics say to be of a file.
  func update(with data: Data, of file: String?) throws(FlagDocumentError) {
    update(with: try FlagDocument(parsing: data, bucketing: document.bucketing, file: file))
  }
}

extension InHouseProvider: ObservableFlagProvider {
  /// Returns the current definitions.
  public func snapshot() -> any ProviderSnapshot { live.current }

  /// Calls a closure after every change, until the subscription ends.
  public func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    live.subscribe(onChange)
  }
}

/// A document, and the clock that its rules see.
private struct Definitions: ProviderSnapshot, DiffableContent {
  var timed: TimedDocument
  let provider: String
  let clock: WallClock

  func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
    do {
      return try timed.evaluate(key, in: context, now: clock.now)
    } catch {
      var error = error
      error.key = key
      error.provider = provider
      throw error
    }
  }

  /// The diagnostics of single flags as errors; at most 100.
  var findings: [FlagError] {
    timed.document.diagnostics.prefix(100).map { FlagError(.parseError, "\($0)", provider: provider) }
  }

  func changes(since old: Definitions) -> ChangedKeys? {
    let names = timed.changedKeys(from: old.timed)
    return names.isEmpty ? nil : .some(names)
  }
}
