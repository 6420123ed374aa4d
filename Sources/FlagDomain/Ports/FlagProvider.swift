/// A source of values: a service, a file, a dictionary.
///
/// A name and a snapshot make one. What else a provider can do has defaults for one whose values never change. Every
/// requirement may be called from any thread.
public protocol FlagProvider: Sendable {
  /// The provider's name, as resolutions, errors and consoles show it. It never changes.
  var name: String { get }

  /// Returns the values that the provider has now.
  ///
  /// The call does not block: a provider that has no answers yet returns an empty snapshot.
  func snapshot() -> any ProviderSnapshot

  /// Calls a closure after every change, until the subscription ends.
  ///
  /// The closure is called after ``snapshot()`` shows the change, on the thread that made it, and with no lock held. It
  /// may call the provider.
  ///
  /// - Parameter onChange: Receives the keys that changed.
  /// - Returns: The subscription. It ends when it is cancelled or released.
  func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription

  /// Fetches the values again, and returns when a new snapshot contains them.
  ///
  /// Several calls at once may share one fetch.
  ///
  /// - Throws: A `FlagError` when they could not be fetched. Then the previous values stay in use.
  func refresh() async throws(FlagError)

  /// The status of the values, which subscribers are notified of, too.
  var providerStatus: ProviderStatus { get }

  /// Whether the values are those of the context that was set last, and of no other.
  var isPersonal: Bool { get }

  /// Sets the user, the visitor's id and the attributes that the values are for.
  ///
  /// A client sets each context that differs from the one before, in order, from one thread at a time. Snapshots that
  /// are taken after the call has returned have no answers for the last user.
  func setContext(_ context: EvaluationContext)
}

extension FlagProvider {
  /// Returns a subscription without effect: the values never change.
  public func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    FlagSubscription {}
  }

  /// Returns at once: there is nothing to fetch.
  public func refresh() async throws(FlagError) {}

  /// Up-to-date values.
  public var providerStatus: ProviderStatus { ProviderStatus(.fresh, isSettled: true) }

  /// False: the values do not depend on a context that is set.
  public var isPersonal: Bool { false }

  /// Does nothing.
  public func setContext(_ context: EvaluationContext) {}
}

/// The values of a provider at one moment.
///
/// The same context always gets the same answer. Only an answer that is marked as transient may differ.
public protocol ProviderSnapshot: Sendable {
  /// Returns the provider's answer for a flag.
  ///
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - context: The context to resolve the flag for. A snapshot that was fetched for one user has no answers for
  ///     another.
  /// - Returns: The answer, or nil when the provider has no answer. Then the next provider is queried.
  /// - Throws: A `FlagError` when the provider's value is unusable. It is reported, and the next provider is queried.
  func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer?

  /// A function that parses strings as arrays or objects, for a provider of strings only; nil for typed values.
  ///
  /// With a closure, strings are converted to the type of the flag: to booleans and numbers exactly, and to arrays and
  /// objects by this closure.
  var textReader: TextReader? { get }

  /// The errors that were found when the snapshot's content was loaded.
  ///
  /// Each is reported once, when the snapshot is first used. An error has a key only if code declares that key.
  var findings: [FlagError] { get }

  /// The names of the attributes that experiments of the snapshot count by, as their metadata name them.
  ///
  /// Conversions carry the values of these attributes. A user's id and a visitor's need not be among them. It is asked
  /// for at the first conversion after a change.
  var unitAttributes: Set<String> { get }
}

extension ProviderSnapshot {
  /// No errors.
  public var findings: [FlagError] { [] }
  /// None: experiments count users or visitors.
  public var unitAttributes: Set<String> { [] }
  /// Nil: values are typed.
  public var textReader: TextReader? { nil }
}

/// A provider whose answers never change, such as launch arguments or the environment.
///
/// It is its own snapshot.
public protocol FixedFlagProvider: FlagProvider, ProviderSnapshot {
  /// Returns an error for each entry that was meant for a flag but matches none, or several: an unknown name, a shared
  /// one, or an invalid value.
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
