public import FlagDomain
import Testing

/// A manager for tests: its flags have the values that a test sets, and it records reads.
///
/// ```swift
/// let flags = TestFlags { $0.set(SettingsFlags.newUserProfile, to: true) }
/// let model = SettingsModel(flags: flags)
/// ```
///
/// A flag that was not set has its computed value, else its default; in a strict manager, reading it is an issue. It is
/// also a test double of the ports for observing, inspecting, overriding, taking snapshots, signing in and changing the
/// context. It may be used from any thread.
public final class TestFlags: FeatureFlagManager {
  let state: Locked<State>
  let feeds = ChangeFeeds()
  private let onUnset: (@Sendable (FlagKey) -> Void)?

  struct State: Sendable {
    var values: [FlagKey: any Sendable] = [:]
    var overrides: [FlagKey: FlagValue] = [:]
    var overrideError: FlagError?
    var context: EvaluationContext?
    var users: [FlagUser?] = []
    var reads: [FlagKey] = []
  }

  /// Creates a manager.
  ///
  /// - Parameters:
  ///   - isStrict: Whether reading a flag that was not set is an issue of the running test. If no test of Swift Testing
  ///     runs, as under XCTest, it stops the program with a message; `init(onUnset:_:)` takes XCTest's failure.
  ///   - fileID: The file that such an issue is reported in, by default that of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line that such an issue is reported at.
  ///   - column: The column of that line.
  ///   - set: Sets flags.
  public convenience init(
    isStrict: Bool = false, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column, _ set: (TestFlags) -> Void = { _ in }
  ) {
    // Not as one parameter, which would make every file that calls this import Swift Testing.
    let place = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    self.init(isStrict: isStrict, at: place, set)
  }

  /// Creates a manager whose issues, if it is strict, are reported at a place.
  convenience init(isStrict: Bool, at sourceLocation: SourceLocation, _ set: (TestFlags) -> Void = { _ in }) {
    self.init(onUnset: isStrict ? Self.issueRecorder(at: sourceLocation) : nil, set)
  }

  /// Creates a manager that calls a closure when a flag that was not set is read.
  ///
  /// Under XCTest that is `TestFlags(onUnset: { XCTFail("\($0) was not set") })`.
  public init(onUnset: (@Sendable (FlagKey) -> Void)?, _ set: (TestFlags) -> Void = { _ in }) {
    self.onUnset = onUnset
    state = Locked(State())
    set(self)
  }

  private init(_ state: State, onUnset: (@Sendable (FlagKey) -> Void)?) {
    self.onUnset = onUnset
    self.state = Locked(state)
  }

  /// Returns the flag's override, else the value that was set, else the computed one, else the default.
  public func variation<Value>(for flag: some FeatureFlag<Value>) -> Value { resolution(of: flag).value }

  /// Sets a flag's value.
  public func set<F: FeatureFlag>(_ flag: F, to value: F.Value) {
    change([flag.key]) { $0.values[flag.key] = value }
  }

  /// Removes the value that was set.
  public func unset(_ flag: some FeatureFlag) {
    change([flag.key]) { $0.values[flag.key] = nil }
  }

  /// The context that flags' closures receive, with the current user.
  public var context: EvaluationContext {
    get { state.withLock { $0.context } ?? EvaluationContext() }
    set { changeContext(cause: newValue.user == context.user ? .context : .user) { $0 = newValue } }
  }

  /// The keys of all reads, in order.
  public var reads: [FlagKey] { state.withLock { $0.reads } }

  /// Clears the recorded reads.
  public func forgetReads() { state.withLock { $0.reads = [] } }

  /// Changes the state, and notifies observers in order.
  func change(_ keys: Set<FlagKey>, _ body: (inout State) -> Void) {
    change(ChangedKeys(keys), cause: .provider(Self.name), body)
  }

  func change(_ keys: ChangedKeys, cause: FlagChange.Cause, _ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      feeds.send(FlagChange(keys: keys, causes: [cause]))
    }
  }

  /// Changes the context, and sends the change to observers.
  func changeContext(cause: FlagChange.Cause, _ edit: (inout EvaluationContext) -> Void) {
    change(.all, cause: cause) { state in
      var context = state.context ?? EvaluationContext()
      edit(&context)
      state.context = context
    }
  }

  /// The provider's name in resolutions.
  static let name = "TestFlags"

  /// Returns the value that was set, or nil, and records the read.
  func given<Value>(_ flag: some FeatureFlag<Value>) -> FlagResolution<Value>? {
    let (override, value, context) = state.withLock { state in
      state.reads.append(flag.key)
      return (state.overrides[flag.key], state.values[flag.key], state.context)
    }
    if let value: Value = override?.decoded() { return FlagResolution(value, reason: .override) }
    // In two steps: the cast of a missing value to an optional type would succeed.
    if let value, let value = value as? Value {
      return FlagResolution(value, reason: .static, provider: Self.name)
    }
    if flag.metadata.isDerived { return computed(flag, in: context ?? EvaluationContext()) }
    return context.flatMap { computed(flag, in: $0) }
  }

  /// Returns what one of the flag's closures gives, or nil.
  func computed<Value>(
    _ flag: some FeatureFlag<Value>, in context: EvaluationContext
  ) -> FlagResolution<Value>? {
    if flag.metadata.isDerived {
      do throws(FlagError) {
        return try _DerivedFlags.value(of: flag, in: context, from: self).map { FlagResolution($0, reason: .computed) }
      } catch {
        return FlagResolution(flag.defaultValue, reason: .error, errors: [error])
      }
    }
    if let value = flag.computed?(context) { return FlagResolution(value, reason: .computed) }
    return flag.fallback?(context).map { FlagResolution($0, reason: .fallback) }
  }

  /// Reports a read of a flag that was not set, if the manager is strict.
  func reportUnset(_ flag: some FeatureFlag) { onUnset?(flag.key) }

  /// Returns an independent manager with the same values.
  func copy() -> TestFlags {
    var copied = state.withLock { $0 }
    (copied.reads, copied.users) = ([], [])
    return TestFlags(copied, onUnset: onUnset)
  }
}

extension FlagValue {
  /// Returns the value as a flag's type, or nil if it cannot be converted.
  fileprivate func decoded<Value: Decodable>() -> Value? {
    do throws(FlagError) {
      return try decode(as: Value.self)
    } catch {
      return nil
    }
  }
}
