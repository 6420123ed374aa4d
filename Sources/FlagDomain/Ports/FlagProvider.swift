/// A source of values: a service, a file, a dictionary.
///
/// A provider that needs to know who is signed in also conforms to ``UserAuthenticator``; one whose answers change
/// while it runs also conforms to ``ObservableFlagProvider``. Every requirement may be called from any thread.
public protocol FlagProvider: Sendable {
  /// The provider's name, as resolutions, errors and flag browsers show it. It never changes.
  var name: String { get }

  /// Returns the values that the provider has now.
  ///
  /// The call does not block: a provider that has no answers yet returns an empty snapshot.
  func snapshot() -> any ProviderSnapshot
}

/// The values of a provider at one moment.
///
/// Asked twice with the same context, it gives the same answer. Only an answer that is marked as transient may differ.
public protocol ProviderSnapshot: Sendable {
  /// Returns the provider's answer for a flag.
  ///
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - context: What the flag is resolved for. A snapshot that was fetched for one user has no answers for another.
  /// - Returns: The answer, or nil when the provider has none. Then the next provider is asked.
  /// - Throws: A `FlagError` when the provider's value is unusable. It is reported, and the next provider is asked.
  func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer?

  /// Parses a string as an array or object, for a provider whose values are all strings; nil for typed values.
  ///
  /// With a closure, strings are converted to the type of the flag: to booleans and numbers exactly, and to arrays and
  /// objects by this closure.
  var textReader: TextReader? { get }

  /// The errors that were found when the snapshot's content was loaded.
  ///
  /// Each is reported once, when the snapshot is first used. An error has a key only where code declares that key.
  var findings: [FlagError] { get }
}

extension ProviderSnapshot {
  /// No errors.
  public var findings: [FlagError] { [] }
  /// Nil: values are typed.
  public var textReader: TextReader? { nil }
}

/// A provider whose answers never change, such as launch arguments or the environment.
///
/// It is its own snapshot.
public protocol FixedFlagProvider: FlagProvider, ProviderSnapshot {
  /// Returns an error for each entry that was meant for a flag but matches none: an unknown name, or an invalid value.
  ///
  /// - Parameter keys: The keys of all flags that the client knows; never empty.
  /// - Returns: The errors, which are reported when the program starts.
  func unknownEntries(besides keys: [FlagKey]) -> [FlagError]
}

extension FixedFlagProvider {
  /// Returns no errors.
  public func unknownEntries(besides keys: [FlagKey]) -> [FlagError] { [] }

  /// Returns the provider itself.
  public func snapshot() -> any ProviderSnapshot { self }
}

/// A provider whose answers change while it runs.
public protocol ObservableFlagProvider: FlagProvider {
  /// Calls a closure after every change, until the subscription ends.
  ///
  /// The closure is called after ``FlagProvider/snapshot()`` shows the change, on the thread that made it, and with no
  /// lock held. It may call the provider.
  ///
  /// - Parameter onChange: Receives the keys that changed.
  /// - Returns: The subscription. It ends when it is cancelled or released.
  func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription
}

/// A provider that can be asked to fetch its values again.
public protocol RefreshableFlagProvider: FlagProvider {
  /// Fetches the values again, and returns when a new snapshot shows them.
  ///
  /// It may be called from any thread, as often as needed; several calls at once may share one fetch.
  ///
  /// - Throws: A `FlagError` when they could not be fetched. Then the previous values stay in use.
  func refresh() async throws(FlagError)
}
