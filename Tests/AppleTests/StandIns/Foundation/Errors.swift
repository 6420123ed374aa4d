// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A stand-in for Foundation's errors.

open class NSError: NSObject, Error, @unchecked Sendable {
  public init(domain: String, code: Int, userInfo: [String: Any]? = nil) {}
  open var domain: String { "" }
  open var code: Int { 0 }
  open var userInfo: [String: Any] { [:] }
  open var localizedDescription: String { "" }
}

public let NSURLErrorDomain = ""
public let NSPOSIXErrorDomain = ""
public let NSCocoaErrorDomain = ""
public let NSUnderlyingErrorKey = ""

extension Error {
  public var localizedDescription: String { "" }
}

public protocol LocalizedError: Error {
  var errorDescription: String? { get }
  var failureReason: String? { get }
  var recoverySuggestion: String? { get }
  var helpAnchor: String? { get }
}
extension LocalizedError {
  public var errorDescription: String? { nil }
  public var failureReason: String? { nil }
  public var recoverySuggestion: String? { nil }
  public var helpAnchor: String? { nil }
}

public protocol CustomNSError: Error {
  static var errorDomain: String { get }
  var errorCode: Int { get }
  var errorUserInfo: [String: Any] { get }
}
extension CustomNSError {
  public static var errorDomain: String { "" }
  public var errorCode: Int { 0 }
  public var errorUserInfo: [String: Any] { [:] }
}

public struct CocoaError: Error, Hashable {
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let fileNoSuchFile = Code(rawValue: 4)
    public static let fileReadNoPermission = Code(rawValue: 257)
    public static let fileReadNoSuchFile = Code(rawValue: 260)
    public static let fileReadInapplicableStringEncoding = Code(rawValue: 261)
    public static let fileWriteNoPermission = Code(rawValue: 513)
    public static let featureUnsupported = Code(rawValue: 3328)
    public static let fileReadCorruptFile = Code(rawValue: 259)
  }
  public let code: Code
  public var underlying: (any Error)? { nil }
  public init(_ code: Code, userInfo: [String: Any] = [:]) { self.code = code }
}
public func ~= (code: CocoaError.Code, error: any Error) -> Bool { false }

public struct POSIXErrorCode: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int32
  public init?(rawValue: Int32) { self.rawValue = rawValue }
}
public struct POSIXError: Error {
  public let code: POSIXErrorCode
  public init(_ code: POSIXErrorCode) { self.code = code }
}

// The compiler calls these for casts to and from `NSError`.
public func _convertErrorToNSError(_ error: any Error) -> NSError { fatalError() }
public func _convertNSErrorToError(_ error: NSError?) -> any Error { fatalError() }
