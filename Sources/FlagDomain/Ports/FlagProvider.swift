/// A source of values: a service, a file, a dictionary.
///
/// A provider that needs to know who is signed in also conforms to ``UserAuthenticator``; one whose answers change
/// while it runs also conforms to ``ChangingFlagProvider``. Every requirement may be called from any thread.
public protocol FlagProvider: Sendable {
  /// The provider's name, as resolutions, errors and browsers show it; the same for the provider's whole life.
  var name: String { get }

  /// Returns what the provider knows at this moment.
  ///
  /// The call does not wait: a provider without answers yet returns a snapshot that has none.
  func snapshot() -> any ProviderSnapshot
}

/// What a provider knows at one moment: asked twice with the same context, it says the same.
///
/// Only an answer that says it is transient may differ the second time.
public protocol ProviderSnapshot: Sendable {
  /// Returns what the provider says of a flag.
  ///
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - context: What the flag is resolved for. A snapshot that was fetched for one user has no answers for another.
  /// - Returns: The answer, or nil when the provider has none; then the next provider is asked.
  /// - Throws: A `FlagError` when what the provider has is unusable. It is reported, and the next provider is asked.
  func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer?

  /// Reads text as a structure; nil for a provider whose values are typed.
  ///
  /// A provider of a service that only has strings returns a closure here. Its strings are then converted to booleans
  /// and numbers exactly, and by this closure to lists and records, for the flags that ask for those.
  var textReader: (@Sendable (String) throws(FlagError) -> FlagValue)? { get }
}

extension ProviderSnapshot {
  /// No closure: values are typed.
  public var textReader: (@Sendable (String) throws(FlagError) -> FlagValue)? { nil }
}

/// A provider whose answers change while it runs.
public protocol ChangingFlagProvider: FlagProvider {
  /// Calls a closure after every change, until the subscription ends.
  ///
  /// The closure is called after ``FlagProvider/snapshot()`` shows the change, on the thread that made it, and with no
  /// lock held: it may call back into the provider.
  ///
  /// - Parameter onChange: Receives the keys that changed.
  /// - Returns: What ends the subscription, when it is cancelled or let go of.
  func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription
}

/// The keys whose values a change touched.
public enum ChangedKeys: Hashable, Sendable {
  /// These keys, and no others.
  case some(Set<FlagKey>)
  /// Any key: which ones is not known.
  case all
}

/// A running subscription, which ends when it is cancelled or let go of.
public final class FlagSubscription: Sendable {
  private let onCancel: @Sendable () -> Void

  /// Creates a subscription that runs a closure at its end, and again where it is cancelled twice.
  public init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

  deinit { onCancel() }

  /// Ends the subscription; doing so twice does no harm.
  public func cancel() { onCancel() }
}
