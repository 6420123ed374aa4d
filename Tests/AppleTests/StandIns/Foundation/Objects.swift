// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A stand-in for Foundation's classes of the time before Swift, without the bridges from Swift's own types.

@_exported import Darwin
@_exported import Dispatch

public protocol NSObjectProtocol: AnyObject {
  var hash: Int { get }
  func isEqual(_ object: Any?) -> Bool
}

open class NSObject: NSObjectProtocol, Equatable, Hashable, CustomStringConvertible {
  public init() {}
  open var hash: Int { 0 }
  open var description: String { "" }
  open func isEqual(_ object: Any?) -> Bool { false }
  public static func == (a: NSObject, b: NSObject) -> Bool { a === b }
  public func hash(into hasher: inout Hasher) {}
}

open class NSString: NSObject {}
extension String {
  public init(_ cocoaString: NSString) { self = "" }
}

open class NSDictionary: NSObject {
  public convenience init(dictionary: [AnyHashable: Any]) { self.init() }
  open func isEqual(to otherDictionary: [AnyHashable: Any]) -> Bool { false }
}

open class NSValue: NSObject {
  open var objCType: UnsafePointer<CChar> { fatalError() }
}

open class NSNumber: NSValue, @unchecked Sendable {
  public convenience init(value: Bool) { self.init() }
  public convenience init(value: Int) { self.init() }
  public convenience init(value: Double) { self.init() }
  open var boolValue: Bool { false }
  open var intValue: Int { 0 }
  open var int64Value: Int64 { 0 }
  open var uint64Value: UInt64 { 0 }
  open var doubleValue: Double { 0 }
}

open class NSNull: NSObject, @unchecked Sendable {}
