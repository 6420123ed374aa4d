public import FlagDomain
import FlagFiles
public import FlagProviders
public import Foundation

/// A store of the visitors' id in user defaults.
///
/// User defaults have no atomic read and write. If several processes share a suite, such as an app and its extensions,
/// a lock file that all of them can access makes them agree on one id; without it, two that start for the first time at
/// the same moment may have two ids until the next start.
///
/// Before an iPhone was unlocked for the first time since it was started, user defaults read as empty, which looks like
/// those of a new visitor. An app that may be launched then passes its `ProtectedData`, or uses a
/// `FileAnonymousIDStore`, whose file is then unreadable rather than empty.
public struct UserDefaultsAnonymousIDStore: AnonymousIDStore {
  private let suite: DefaultsSuite
  private let key: String
  private let lock: SharedFile?

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - suite: The name of the suite; nil for the standard defaults.
  ///   - key: The name of the default.
  ///   - lock: A file in a directory that all processes of the suite can write to, which need not exist, and is not
  ///     created; the file `.NAME.lock` beside it is, for a moment. Nil if no other process uses the suite.
  ///   - protectedData: The state of protected data: before it is available each call throws, and no id is stored. Nil
  ///     for a program that is never launched on a device that was not unlocked.
  public init(
    suite: String? = nil, key: String = "flag-anonymous-id", lock: URL? = nil, protectedData: ProtectedData? = nil
  ) {
    self.init(suite: suite, key: key, lock: lock, protectedData: protectedData) {}
  }

  package init(
    suite: String?, key: String = "flag-anonymous-id", lock: URL? = nil, protectedData: ProtectedData? = nil,
    onSet: @escaping @Sendable () -> Void
  ) {
    self.suite = DefaultsSuite(name: suite, protectedData: protectedData, onSet: onSet)
    self.key = key
    self.lock = lock.map { SharedFile($0) }
  }

  /// Returns the id in the defaults, or nil if there is no id.
  ///
  /// - Throws: An error if there can be no such suite, it cannot be read yet, or the default is not text.
  public func load() throws(FlagError) -> String? {
    guard let object = try suite.fields()[key] else { return nil }
    guard let id = object as? String else {
      throw FlagError(
        .typeMismatch, "expected an id as text under \"\(key)\", found \(FlagValue(propertyList: object).typeName)")
    }
    return id.isEmpty ? nil : id
  }

  /// Sets the default; nil removes it.
  ///
  /// - Throws: An error if there can be no such suite, or the id cannot be stored.
  public func store(_ id: String?) throws(FlagError) { try suite.write([key: id as Any?]) }

  /// Sets the default unless it is set, while others wait if there is a lock file.
  ///
  /// - Throws: As the other calls do, and an error if the lock file cannot be locked.
  public func storeIfNone(_ id: String) throws(FlagError) -> String {
    guard let lock else { return try storeUnlocked(id) }
    // Without the lock first: an observer of the defaults may ask for the id that is being stored under it.
    if let id = try load() { return id }
    var stored = id
    try lock.update({ FlagError($0) }) { _ throws(FlagError) in
      stored = try storeUnlocked(id)
      return nil
    }
    return stored
  }

  private func storeUnlocked(_ id: String) throws(FlagError) -> String {
    if let id = try load() { return id }
    try store(id)
    return id
  }

  /// Calls a closure when the defaults become readable.
  public func subscribe(_ onAvailable: @escaping @Sendable () -> Void) -> FlagSubscription {
    suite.protectedData?.subscribe(onAvailable) ?? FlagSubscription {}
  }
}
