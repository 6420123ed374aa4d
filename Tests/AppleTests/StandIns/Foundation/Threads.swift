// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A stand-in for Foundation's threads, locks and queues.

open class Thread: NSObject {
  public override init() {}
  public convenience init(block: @escaping @Sendable () -> Void) { self.init() }
  open class var current: Thread { fatalError() }
  open class var isMainThread: Bool { false }
  open var isMainThread: Bool { false }
  open var stackSize = 0
  open var name: String?
  open var qualityOfService = QualityOfService.default
  open func start() {}
  open var threadDictionary: NSMutableDictionary { fatalError() }
  open class func detachNewThread(_ block: @escaping @Sendable () -> Void) {}
  open class func sleep(forTimeInterval seconds: TimeInterval) {}
}

open class NSMutableDictionary: NSDictionary {
  public subscript(key: Any) -> Any? {
    get { nil }
    set {}
  }
}

public enum QualityOfService: Int, Sendable { case userInteractive, userInitiated, utility, background, `default` }

public protocol NSLocking: AnyObject {
  func lock()
  func unlock()
}
extension NSLocking {
  public func withLock<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
}

open class NSLock: NSObject, NSLocking, @unchecked Sendable {
  open func lock() {}
  open func unlock() {}
  open func `try`() -> Bool { true }
}

open class NSRecursiveLock: NSObject, NSLocking, @unchecked Sendable {
  open func lock() {}
  open func unlock() {}
  open func `try`() -> Bool { true }
}

open class OperationQueue: NSObject, @unchecked Sendable {
  public override init() {}
  open var maxConcurrentOperationCount = 0
  open var underlyingQueue: DispatchQueue?
  open func addOperation(_ block: @escaping @Sendable () -> Void) {}
  open class var main: OperationQueue { fatalError() }
}
