// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A stand-in for user defaults, notifications and bundles.
//
// Apple says that defaults may be used from any thread, and has not marked the class so: it is not sendable here.

open class UserDefaults: NSObject {
  open class var standard: UserDefaults { fatalError() }
  public override convenience init() { fatalError() }
  public init?(suiteName: String?) {}
  open func object(forKey key: String) -> Any? { nil }
  open func set(_ value: Any?, forKey key: String) {}
  open func set(_ value: Int, forKey key: String) {}
  open func set(_ value: Double, forKey key: String) {}
  open func set(_ value: Bool, forKey key: String) {}
  open func removeObject(forKey key: String) {}
  open func string(forKey key: String) -> String? { nil }
  open func bool(forKey key: String) -> Bool { false }
  open func integer(forKey key: String) -> Int { 0 }
  open func dictionary(forKey key: String) -> [String: Any]? { nil }
  open func dictionaryRepresentation() -> [String: Any] { [:] }
  open func register(defaults: [String: Any]) {}
  open func persistentDomain(forName name: String) -> [String: Any]? { nil }
  open func setPersistentDomain(_ domain: [String: Any], forName name: String) {}
  open func removePersistentDomain(forName name: String) {}
  @discardableResult open func synchronize() -> Bool { true }
  public static let didChangeNotification = Notification.Name("")
}

@available(*, unavailable) extension UserDefaults: @unchecked Sendable {}

public struct Notification {
  public struct Name: Hashable, Sendable {
    public init(_ name: String) {}
  }
  public var name: Name
  public var object: Any?
}

open class NotificationCenter: NSObject, @unchecked Sendable {
  open class var `default`: NotificationCenter { fatalError() }
  @preconcurrency
  open func addObserver(
    forName name: Notification.Name?, object: Any?, queue: OperationQueue?,
    using block: @escaping @Sendable (Notification) -> Void
  ) -> any NSObjectProtocol { fatalError() }
  open func removeObserver(_ observer: Any) {}
  open func post(name: Notification.Name, object: Any?) {}
}

open class Bundle: NSObject, @unchecked Sendable {
  open class var main: Bundle { fatalError() }
  public convenience init?(path: String) { self.init() }
  public convenience init(for type: AnyClass) { self.init() }
  open var bundleIdentifier: String? { nil }
  open var bundleURL: URL { fatalError() }
  open var bundlePath: String { "" }
  open var executableURL: URL? { nil }
  open var resourceURL: URL? { nil }
  open var infoDictionary: [String: Any]? { nil }
  open func object(forInfoDictionaryKey key: String) -> Any? { nil }
  open func url(forResource name: String?, withExtension ext: String?) -> URL? { nil }
  open func path(forResource name: String?, ofType ext: String?) -> String? { nil }
}
