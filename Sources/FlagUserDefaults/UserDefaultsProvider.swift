public import FlagDomain
public import FlagProviders
import Foundation

/// A provider of the values in user defaults, through which they can also be changed.
///
/// A flag's key is the name of its default, or else a path into one: `feed.page-size` is the entry `page-size` of the
/// dictionary `feed`. See `ValuePath`. Only the suite itself is read: no registered defaults, launch arguments, or
/// other domains.
///
/// Changes by others take effect as soon as the platform reports them: those of this process, on Apple's platforms.
/// Others, such as those of an extension of the app, take effect after ``reload()``. Changes within a short time are
/// read once.
public final class UserDefaultsProvider: Sendable {
  /// The provider's name, which contains those of the suite and the dictionary.
  public let name: String
  private let suite: DefaultsSuite
  private let readsJSON: Bool
  private let live: ObservableContent<ValueTree>
  private let writes = Locked(Writes())
  private let subscription = Locked<FlagSubscription?>(nil)
  /// The reason why the last change could not be read.
  private let failure = Locked<FlagError?>(nil)

  /// Creates a provider for user defaults.
  ///
  /// - Parameters:
  ///   - suiteName: The name of a suite; nil for the standard defaults.
  ///   - dictionary: The key of a dictionary that holds all values; nil if each has an entry of its own.
  ///   - readsJSON: Whether entries of data that are JSON are read as that: those of an app that encodes values by
  ///     `JSONEncoder`. Otherwise data is base64, for flags of the type `Data`.
  ///   - protectedData: The state of protected data: before it is available there are no values, and none can be
  ///     written. Nil for a program that is never launched on a device that was not unlocked.
  /// - Throws: A `FlagError` when there can be no suite of that name, or the value under the key is not a dictionary.
  public convenience init(
    suiteName: String? = nil, dictionary: String? = nil, readsJSON: Bool = false, protectedData: ProtectedData? = nil
  ) throws(FlagError) {
    try self.init(
      suiteName: suiteName, dictionary: dictionary, readsJSON: readsJSON, protectedData: protectedData,
      clock: ContinuousClock())
  }

  package init(
    suiteName: String?, dictionary: String?, readsJSON: Bool = false, protectedData: ProtectedData?,
    clock: any Clock<Duration>,
    onSet: @escaping @Sendable () -> Void = {}
  ) throws(FlagError) {
    name = ["defaults", suiteName, dictionary].compactMap { $0 }.joined(separator: " ")
    suite = DefaultsSuite(name: suiteName, dictionary: dictionary, protectedData: protectedData, onSet: onSet)
    self.readsJSON = readsJSON
    let isReadable = protectedData?.isAvailable ?? true
    live = ObservableContent(isReadable ? try ValueTree(suite, readsJSON) : ValueTree(emptyLike: suite))
    let subscription = suite.subscribe(on: clock) { [weak self] in self?.follow() }
    self.subscription.withLock { $0 = subscription }
  }

  /// Reads the defaults again.
  ///
  /// - Throws: A `FlagError` when they cannot be read; the values stay as they are.
  public func reload() throws(FlagError) {
    try live.read(tree) { $0 = $1 }
  }

  /// Returns what the suite has, with the writes that overlap: one of them may replace another for a moment.
  private func tree() throws(FlagError) -> ValueTree {
    try ValueTree(suite, readsJSON).writing(writes.withLock { $0.pending })
  }

  /// Reads the defaults after a change; the last good values stay in use if that fails, and the status says why.
  private func follow() {
    let outcome = Result { () throws(FlagError) in try reload() }
    let error: FlagError? = if case .failure(let error) = outcome { error } else { nil }
    let isNew = failure.withLock { last in
      defer { last = error }
      return last != error
    }
    if isNew { live.notify(.some([])) }
  }

  /// The status, with the reason why the last change that the platform reported could not be read.
  public var providerStatus: ProviderStatus {
    ProviderStatus(.fresh, error: failure.withLock { $0 }, isSettled: true)
  }
}

extension UserDefaultsProvider: WritableFlagProvider {
  /// Sets and removes values, in the defaults first.
  ///
  /// A value is written to the place where the key finds one; a new one is stored under its whole key, or in a
  /// dictionary along its path. Null, which no default can be, is stored as data: the four bytes of its name.
  ///
  /// - Throws: A `FlagError` of code `TYPE_MISMATCH` for a value that no default can hold: an integer that needs more
  ///   than 64 bits, a number with more digits than a double gives back, or more than 256 levels; of code `GENERAL`
  ///   when the defaults cannot be stored, or a value other than a dictionary would replace one that has entries, which
  ///   must be removed first.
  public func write(_ values: [FlagKey: FlagValue?]) throws(FlagError) {
    for (key, value) in values { _ = try value?.propertyList(of: key) }  // so that the error names the flag
    let own = writes.withLock { $0.begin(values) }
    do throws(FlagError) {
      try store(own)
    } catch {
      writes.withLock { $0.end(own, isStored: false) }
      throw error
    }
    writes.withLock { $0.end(own, isStored: true) }
    try reload()
  }

  /// Stores a write that has begun, with the others that overlap.
  private func store(_ own: Int) throws(FlagError) {
    var tree = try ValueTree(suite, readsJSON)
    var isComplete = true
    repeat {
      let pending = writes.withLock { $0.pending }
      try suite.write(try tree.writing(pending, requiring: own).fields(changedFrom: tree))
      // No lock is held while defaults are set: others' writes may have begun from what this one has replaced.
      let all = writes.withLock { $0.pending }
      if all.count == pending.count { break }
      tree = try ValueTree(suite, readsJSON)
      isComplete = try tree.writing(all).root.readsAs(tree.root)
    } while !isComplete
  }

  /// Returns the current values.
  public func snapshot() -> any ProviderSnapshot { live.current }

  /// Calls a closure after every change that the platform reports, until the subscription ends.
  public func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    live.subscribe(onChange)
  }
}

/// The writes of a provider that overlap, in the order in which they began.
private struct Writes: Sendable {
  private(set) var pending: [[FlagKey: FlagValue?]] = []
  private var running = 0

  /// Adds a write, and returns its place.
  mutating func begin(_ values: [FlagKey: FlagValue?]) -> Int {
    running += 1
    pending.append(values)
    return pending.count - 1
  }

  mutating func end(_ place: Int, isStored: Bool) {
    if !isStored { pending[place] = [:] }
    running -= 1
    if running == 0 { pending = [] }
  }
}

extension ValueTree {
  /// Returns the tree after writes, without those that are impossible in it, unless it is the required one.
  fileprivate func writing(
    _ writes: [[FlagKey: FlagValue?]], requiring required: Int? = nil
  ) throws(FlagError) -> ValueTree {
    var tree = self
    for (place, values) in writes.enumerated() {
      var next = tree
      do throws(FlagError) {
        try next.write(values)
        tree = next
      } catch {
        if place == required { throw error }
      }
    }
    return tree
  }

  /// Returns the fields that differ from those of another tree, as property lists; nil for those that are gone.
  fileprivate func fields(changedFrom old: ValueTree) throws(FlagError) -> [String: Any?] {
    var changes: [String: Any?] = [:]
    for name in Set(old.root.childNames + root.childNames) {
      let field = ValuePath([name])
      guard !root[field].readsAs(old.root[field]) else { continue }
      changes[name] = .some(try root[field]?.propertyList(of: nil))
    }
    return changes
  }

  fileprivate init(_ suite: DefaultsSuite, _ readsJSON: Bool) throws(FlagError) {
    let values = try suite.fields().mapValues { FlagValue(propertyList: $0, readingJSON: readsJSON) }
    self.init(root: .object(values), isFlat: suite.dictionary == nil)
  }

  /// Creates the tree of a suite that cannot be read yet.
  fileprivate init(emptyLike suite: DefaultsSuite) {
    self.init(root: .object([:]), isFlat: suite.dictionary == nil)
  }
}
