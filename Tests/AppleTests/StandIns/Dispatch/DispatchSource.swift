// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A stand-in for the sources of Dispatch: names, types and annotations as Apple documents them.

public protocol DispatchSourceProtocol: AnyObject {
  typealias DispatchSourceHandler = @convention(block) () -> Void

  func setEventHandler(qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: DispatchSourceHandler?)
  func setCancelHandler(qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: DispatchSourceHandler?)
  func activate()
  func cancel()
  func resume()
  func suspend()
  var isCancelled: Bool { get }
}

extension DispatchSourceProtocol {
  public func setEventHandler(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], handler: DispatchSourceHandler?
  ) {}
  public func setCancelHandler(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], handler: DispatchSourceHandler?
  ) {}
}

public protocol DispatchSourceSignal: DispatchSourceProtocol { var data: UInt { get } }
public protocol DispatchSourceRead: DispatchSourceProtocol { var data: UInt { get } }
public protocol DispatchSourceTimer: DispatchSourceProtocol {}
public protocol DispatchSourceFileSystemObject: DispatchSourceProtocol {
  var data: DispatchSource.FileSystemEvent { get }
  var mask: DispatchSource.FileSystemEvent { get }
}

public class DispatchSource: DispatchObject, @unchecked Sendable {
  public struct FileSystemEvent: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let delete = FileSystemEvent(rawValue: 0x01)
    public static let write = FileSystemEvent(rawValue: 0x02)
    public static let extend = FileSystemEvent(rawValue: 0x04)
    public static let attrib = FileSystemEvent(rawValue: 0x08)
    public static let link = FileSystemEvent(rawValue: 0x10)
    public static let rename = FileSystemEvent(rawValue: 0x20)
    public static let revoke = FileSystemEvent(rawValue: 0x40)
    public static let funlock = FileSystemEvent(rawValue: 0x100)
    public static let all = FileSystemEvent(rawValue: 0x17F)
  }

  public class func makeFileSystemObjectSource(
    fileDescriptor: Int32, eventMask: FileSystemEvent, queue: DispatchQueue? = nil
  ) -> any DispatchSourceFileSystemObject { fatalError() }
  public class func makeSignalSource(
    signal: Int32, queue: DispatchQueue? = nil
  ) -> any DispatchSourceSignal { fatalError() }
}
