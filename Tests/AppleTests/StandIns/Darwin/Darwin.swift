// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A stand-in for Darwin's overlay: what C has as macros and as functions of any number of arguments.

@_exported import Darwin

public var errno: Int32 {
  get { __error().pointee }
  set { __error().pointee = newValue }
}

public var S_IFMT: mode_t { 0o170000 }
public var S_IFDIR: mode_t { 0o040000 }
public var S_IFREG: mode_t { 0o100000 }
public var S_IFLNK: mode_t { 0o120000 }

public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { -1 }
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 { -1 }
public func fcntl(_ fd: Int32, _ cmd: Int32) -> Int32 { -1 }
public func fcntl(_ fd: Int32, _ cmd: Int32, _ value: Int32) -> Int32 { -1 }
public func fcntl(_ fd: Int32, _ cmd: Int32, _ ptr: UnsafeMutableRawPointer) -> Int32 { -1 }

public func lgamma(_ x: Double) -> (Double, Int) { (0, 0) }

public typealias sig_t = @convention(c) (Int32) -> Void
public var SIG_DFL: sig_t? { nil }
public var SIG_IGN: sig_t { unsafeBitCast(1, to: sig_t.self) }
@discardableResult
public func signal(_ number: Int32, _ handler: sig_t?) -> sig_t? { nil }

public struct POSIXErrorCode: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int32
  public init?(rawValue: Int32) { self.rawValue = rawValue }
}
