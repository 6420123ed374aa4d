// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A stand-in for Dispatch: names, types and annotations as Apple documents them.

@_exported import Darwin

open class DispatchObject: @unchecked Sendable {}

public final class DispatchSemaphore: DispatchObject, @unchecked Sendable {
  public init(value: Int) {}
  @discardableResult public func signal() -> Int { 0 }
  public func wait() {}
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { .success }
}

public enum DispatchTimeoutResult: Sendable { case success, timedOut }

public enum DispatchTimeInterval: Equatable, Sendable {
  case seconds(Int), milliseconds(Int), microseconds(Int), nanoseconds(Int), never
}

public struct DispatchTime: Comparable, Sendable {
  public static func now() -> DispatchTime { DispatchTime() }
  public static func < (a: DispatchTime, b: DispatchTime) -> Bool { false }
  public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { time }
  public static func + (time: DispatchTime, seconds: Double) -> DispatchTime { time }
}

public struct DispatchWallTime: Comparable, Sendable {
  public init(timespec: timespec) {}
  public static func now() -> DispatchWallTime { fatalError() }
  public static func < (a: DispatchWallTime, b: DispatchWallTime) -> Bool { false }
  public static func + (time: DispatchWallTime, interval: DispatchTimeInterval) -> DispatchWallTime { time }
  public static func + (time: DispatchWallTime, seconds: Double) -> DispatchWallTime { time }
}

public struct DispatchQoS: Equatable, Sendable {
  public static let background = DispatchQoS()
  public static let utility = DispatchQoS()
  public static let `default` = DispatchQoS()
  public static let userInitiated = DispatchQoS()
  public static let userInteractive = DispatchQoS()
  public static let unspecified = DispatchQoS()

  public enum QoSClass: Sendable { case background, utility, `default`, userInitiated, userInteractive, unspecified }
}

public final class DispatchSpecificKey<T> { public init() {} }
extension DispatchSpecificKey: Sendable where T: Sendable {}

public struct DispatchWorkItemFlags: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let barrier = DispatchWorkItemFlags(rawValue: 1)
}

open class DispatchQueue: DispatchObject, @unchecked Sendable {
  public struct Attributes: OptionSet, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    public static let concurrent = Attributes(rawValue: 2)
  }

  public convenience init(
    label: String, qos: DispatchQoS = .unspecified, attributes: Attributes = [], target: DispatchQueue? = nil
  ) { fatalError() }

  public class var main: DispatchQueue { fatalError() }
  public class func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { fatalError() }

  @preconcurrency
  public func async(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    execute work: @escaping @Sendable @convention(block) () -> Void
  ) {}
  @preconcurrency
  public func asyncAfter(
    deadline: DispatchTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    execute work: @escaping @Sendable @convention(block) () -> Void
  ) {}
  @preconcurrency
  public func asyncAfter(
    wallDeadline: DispatchWallTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    execute work: @escaping @Sendable @convention(block) () -> Void
  ) {}
  public func sync<T>(execute work: () throws -> T) rethrows -> T { try work() }
  public class func concurrentPerform(iterations: Int, execute work: (Int) -> Void) {}
  public func setSpecific<T>(key: DispatchSpecificKey<T>, value: T?) {}
  public func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { nil }
  public class func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { nil }
}

public struct DispatchPredicate {
  public static func onQueue(_ queue: DispatchQueue) -> DispatchPredicate { DispatchPredicate() }
}
public func dispatchPrecondition(condition: @autoclosure () -> DispatchPredicate) {}

public func dispatchMain() -> Never { fatalError() }
