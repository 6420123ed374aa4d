import FlagDomain
import FlagProviders
import Foundation
import Synchronization

/// A suite of user defaults, or one dictionary in it, as a table of property lists.
///
/// `UserDefaults` is thread-safe, as its documentation says, but not marked so on every platform. So this stores the
/// name of the suite, and opens it again for each call.
///
/// No lock is held while a default is set: on Apple's platforms that posts a notification, whose observers run before
/// the call returns, and may wait for other threads.
struct DefaultsSuite: Sendable {
  /// The suite's name; nil for the standard defaults.
  let name: String?
  /// The key of the dictionary; nil for the suite itself.
  var dictionary: String?
  /// The state of protected data, on which reading the defaults depends; nil if they can always be read.
  var protectedData: ProtectedData?
  /// Called after each default that is set; tests do what the platform does elsewhere.
  var onSet: @Sendable () -> Void = {}

  /// Returns the contents of the suite itself, without registered defaults, launch arguments, or other domains.
  func fields() throws(FlagError) -> [String: Any] {
    let own = try own(of: defaults())
    guard let dictionary else { return own }
    guard let object = own[dictionary] else { return [:] }
    guard let fields = object as? [String: Any] else {
      throw FlagError(
        .typeMismatch,
        "expected a dictionary under \"\(dictionary)\", found \(FlagValue(propertyList: object).typeName)")
    }
    return fields
  }

  private func own(of defaults: UserDefaults) -> [String: Any] {
    Self.exclusively {
      // On other platforms than Apple's, it also reads values that other processes have stored.
      defaults.synchronize()
      return defaults.persistentDomain(forName: domain) ?? [:]
    }
  }

  /// Sets fields, and removes those that are nil: all of them, or none.
  func write(_ fields: [String: Any?]) throws(FlagError) {
    let defaults = try defaults()
    var changes = fields
    if let dictionary {
      let all = try self.fields().merging(fields.compactMapValues { $0 }) { _, new in new }
      let left = all.filter { name, _ in fields[name].map { $0 != nil } ?? true }
      changes = [dictionary: left.isEmpty ? nil : left]
    }
    let own = own(of: defaults)
    guard set(changes.map { ($0, $1) }, over: own, in: defaults) else {
      for name in changes.keys { defaults.set(own[name], forKey: name) }
      _ = Self.exclusively { defaults.synchronize() }
      throw FlagError(.general, "the user defaults of \(name ?? "the program") cannot be stored")
    }
  }

  /// The number of times that a default is set at most, where other threads discard it before it is stored.
  private static let attempts = 100

  /// Sets and removes defaults, and returns whether they are stored.
  ///
  /// A default that shows its former value again was discarded by another thread's synchronizing, and is set again. One
  /// that shows a third value was set by another thread afterwards, and is left to that.
  private func set(_ objects: [(name: String, object: Any?)], over former: [String: Any], in defaults: UserDefaults)
    -> Bool
  {
    var left = objects
    for _ in 0..<Self.attempts {
      for (name, object) in left {
        if let object { defaults.set(object, forKey: name) } else { defaults.removeObject(forKey: name) }
        onSet()
      }
      let isStored = Self.exclusively {
        let isStored = defaults.synchronize()
        let own = defaults.persistentDomain(forName: domain) ?? [:]
        left.removeAll { name, object in
          isEqual(own[name], object) || !isEqual(own[name], former[name])
        }
        return isStored
      }
      guard isStored else { return false }
      if left.isEmpty { return true }
    }
    return false
  }

  private func isEqual(_ first: Any?, _ second: Any?) -> Bool {
    func list(_ object: Any?) -> [String: Any] { object.map { ["object": $0] } ?? [:] }
    return NSDictionary(dictionary: list(first)).isEqual(to: list(second))
  }

  /// Returns the suite.
  ///
  /// - Throws: An error if there can be no suite of that name, or it cannot be read yet.
  private func defaults() throws(FlagError) -> UserDefaults {
    // Before that the suite reads as empty, which is wrong, and a write may replace existing values.
    guard protectedData?.isAvailable ?? true else {
      throw FlagError(.providerNotReady, "the user defaults cannot be read before the device is unlocked")
    }
    guard let name else { return .standard }
    guard let defaults = UserDefaults(suiteName: name) else {
      throw FlagError(.general, "expected the name of a suite of user defaults, found \"\(name)\"")
    }
    return defaults
  }

  private var domain: String { name ?? Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName }

  #if canImport(Darwin)
    private static func exclusively<Result>(_ body: () -> Result) -> Result { body() }
  #else
    private static let lock = NSLock()

    /// Calls a closure that reads and stores defaults, one call at a time in this process.
    ///
    /// On other platforms than Apple's, synchronizing on one thread discards values that another has set and not
    /// stored: within this they are either discarded already, or stored.
    private static func exclusively<Result>(_ body: () -> Result) -> Result {
      lock.lock()
      defer { lock.unlock() }
      return body()
    }
  #endif

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
  ///
  /// Removing it posts nothing, and waits for nobody.
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
