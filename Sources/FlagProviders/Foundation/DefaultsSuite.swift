import FlagDomain
import Foundation
import Synchronization

/// A suite of user defaults, or one dictionary in it, as a table of property lists.
///
/// `UserDefaults` is thread-safe, as its documentation says, but not marked so on every platform. So this stores the
/// name of the suite, and opens it again for each call.
struct DefaultsSuite: Sendable {
  /// The suite's name; nil for the standard defaults.
  let name: String?
  /// The key of the dictionary; nil for the suite itself.
  var dictionary: String?
  /// The state of protected data, on which reading the defaults depends; nil if they can always be read.
  var protectedData: ProtectedData?
}

extension DefaultsSuite {
  /// Returns the contents of the suite itself, without registered defaults, launch arguments, or other domains.
  func fields() throws(FlagError) -> [String: Any] {
    try withDefaults { defaults throws(FlagError) in try fields(in: defaults) }
  }

  private func fields(in defaults: UserDefaults) throws(FlagError) -> [String: Any] {
    // On other platforms than Apple's, it also reads values that other processes have stored.
    defaults.synchronize()
    let own = defaults.persistentDomain(forName: domain) ?? [:]
    guard let dictionary else { return own }
    guard let object = own[dictionary] else { return [:] }
    guard let fields = object as? [String: Any] else {
      throw FlagError(
        .typeMismatch,
        "expected a dictionary under \"\(dictionary)\", found \(FlagValue(propertyList: object).typeName)")
    }
    return fields
  }

  /// Sets fields, and removes those that are nil: all of them, or none.
  func write(_ fields: [String: Any?]) throws(FlagError) {
    try withDefaults { defaults throws(FlagError) in
      var changes = fields
      if let dictionary {
        let all = try self.fields(in: defaults).merging(fields.compactMapValues { $0 }) { _, new in new }
        let left = all.filter { name, _ in fields[name].map { $0 != nil } ?? true }
        changes = [dictionary: left.isEmpty ? nil : left]
      }
      let own = defaults.persistentDomain(forName: domain) ?? [:]
      let former = changes.map { name, _ in (name, own[name]) }
      Self.set(changes.map { ($0, $1) }, in: defaults)
      guard defaults.synchronize() else {
        Self.set(former, in: defaults)
        throw FlagError(.general, "the user defaults of \(name ?? "the program") cannot be stored")
      }
    }
  }

  private static func set(_ objects: [(String, Any?)], in defaults: UserDefaults) {
    for (name, object) in objects {
      if let object { defaults.set(object, forKey: name) } else { defaults.removeObject(forKey: name) }
    }
  }

  /// Calls a closure with the suite, one call at a time in this process.
  ///
  /// On other platforms than Apple's, synchronizing on one thread discards values that another has set and not stored.
  /// The lock is recursive, since subscribers that are notified of a change may read.
  ///
  /// - Throws: An error if there can be no suite of that name or it cannot be read yet, and the closure's.
  private func withDefaults<Result>(_ body: (UserDefaults) throws(FlagError) -> Result) throws(FlagError) -> Result {
    // Before that the suite reads as empty, which is wrong, and a write may replace existing values.
    guard protectedData?.isAvailable ?? true else {
      throw FlagError(.providerNotReady, "the user defaults cannot be read before the device is unlocked")
    }
    Self.lock.lock()
    defer { Self.lock.unlock() }
    guard let name else { return try body(.standard) }
    guard let defaults = UserDefaults(suiteName: name) else {
      throw FlagError(.general, "expected the name of a suite of user defaults, found \"\(name)\"")
    }
    return try body(defaults)
  }

  private static let lock = NSRecursiveLock()

  private var domain: String { name ?? Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName }
}

extension DefaultsSuite {
  /// The time within which changes are joined: the notification comes for each write of anything in the process.
  static let settlingTime = Duration.milliseconds(50)

  /// Calls a closure after user defaults have changed and when they become readable, until the subscription ends.
  ///
  /// Changes are those of any suite that the platform reports; several within a short time cause one call, with no lock
  /// held.
  func subscribe(on clock: any Clock<Duration>, _ onChange: @escaping @Sendable () -> Void) -> FlagSubscription {
    // Notifications are posted on the thread that changes a default, which may hold locks of this package.
    let changes = CallCoalescer(Self.settlingTime, on: clock, onChange)
    let token = Mutex<(any NSObjectProtocol)?>(
      NotificationCenter.default.addObserver(forName: UserDefaults.didChangeNotification, object: nil, queue: nil) {
        _ in
        changes.call()
      })
    let observer = Observer(token)
    let unlocking = protectedData?.subscribe(onChange)
    return FlagSubscription {
      unlocking?.cancel()
      observer.end()
      changes.end()
    }
  }

  /// The observer of the notifications, in a lock, because its type is not sendable.
  private final class Observer: Sendable {
    private let token: Mutex<(any NSObjectProtocol)?>

    init(_ token: consuming sending Mutex<(any NSObjectProtocol)?>) { self.token = token }

    func end() {
      token.withLock { token in
        if let token { NotificationCenter.default.removeObserver(token) }
        token = nil
      }
    }
  }
}
