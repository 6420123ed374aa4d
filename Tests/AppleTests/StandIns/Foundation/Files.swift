// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A stand-in for Foundation's files and streams.

open class FileManager: NSObject, @unchecked Sendable {
  open class var `default`: FileManager { fatalError() }

  public struct SearchPathDirectory: Sendable {
    public static let applicationSupportDirectory = SearchPathDirectory()
    public static let cachesDirectory = SearchPathDirectory()
    public static let documentDirectory = SearchPathDirectory()
  }
  public struct SearchPathDomainMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let userDomainMask = SearchPathDomainMask(rawValue: 1)
  }
  public struct DirectoryEnumerationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let skipsHiddenFiles = DirectoryEnumerationOptions(rawValue: 4)
    public static let skipsPackageDescendants = DirectoryEnumerationOptions(rawValue: 2)
  }
  open class DirectoryEnumerator: NSEnumerator {
    open func skipDescendants() {}
  }

  open var temporaryDirectory: URL { fatalError() }
  @available(iOS, unavailable) @available(tvOS, unavailable) @available(watchOS, unavailable)
  @available(visionOS, unavailable) @available(macCatalyst, unavailable)
  open var homeDirectoryForCurrentUser: URL { fatalError() }
  open var currentDirectoryPath: String { "" }
  open func urls(for directory: SearchPathDirectory, in mask: SearchPathDomainMask) -> [URL] { [] }
  open func url(
    for directory: SearchPathDirectory, in mask: SearchPathDomainMask, appropriateFor url: URL?, create: Bool
  ) throws -> URL { fatalError() }
  open func containerURL(forSecurityApplicationGroupIdentifier group: String) -> URL? { nil }
  open func fileExists(atPath path: String) -> Bool { false }
  open func isExecutableFile(atPath path: String) -> Bool { false }
  open func isReadableFile(atPath path: String) -> Bool { false }
  open func contents(atPath path: String) -> Data? { nil }
  open func contentsOfDirectory(atPath path: String) throws -> [String] { [] }
  open func contentsOfDirectory(
    at url: URL, includingPropertiesForKeys keys: [URLResourceKey]?, options: DirectoryEnumerationOptions = []
  ) throws -> [URL] { [] }
  open func subpathsOfDirectory(atPath path: String) throws -> [String] { [] }
  open func enumerator(atPath path: String) -> DirectoryEnumerator? { nil }
  open func createDirectory(
    at url: URL, withIntermediateDirectories: Bool, attributes: [FileAttributeKey: Any]? = nil
  ) throws {}
  open func createDirectory(
    atPath path: String, withIntermediateDirectories: Bool, attributes: [FileAttributeKey: Any]? = nil
  ) throws {}
  open func removeItem(at url: URL) throws {}
  open func removeItem(atPath path: String) throws {}
  open func copyItem(at url: URL, to other: URL) throws {}
  open func moveItem(at url: URL, to other: URL) throws {}
  open func createSymbolicLink(at url: URL, withDestinationURL other: URL) throws {}
  open func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] { [:] }
  open func setAttributes(_ attributes: [FileAttributeKey: Any], ofItemAtPath path: String) throws {}
}

open class NSEnumerator: NSObject, Sequence, IteratorProtocol {
  public func next() -> Any? { nil }
}

public struct FileAttributeKey: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public static let size = FileAttributeKey(rawValue: "size")
  public static let type = FileAttributeKey(rawValue: "type")
  public static let modificationDate = FileAttributeKey(rawValue: "modificationDate")
  public static let posixPermissions = FileAttributeKey(rawValue: "posixPermissions")
  public static let protectionKey = FileAttributeKey(rawValue: "protectionKey")
}

open class FileHandle: NSObject, @unchecked Sendable {
  open class var standardInput: FileHandle { fatalError() }
  open class var standardOutput: FileHandle { fatalError() }
  open class var standardError: FileHandle { fatalError() }
  public convenience init(forReadingFrom url: URL) throws { self.init() }
  public convenience init?(forReadingAtPath path: String) { self.init() }
  public convenience init?(forWritingAtPath path: String) { self.init() }
  public convenience init(forWritingTo url: URL) throws { self.init() }
  open var fileDescriptor: Int32 { 0 }
  open var availableData: Data { Data() }
  open func write(_ data: Data) {}
  public func write<Bytes: DataProtocol>(contentsOf data: Bytes) throws {}
  public func readToEnd() throws -> Data? { nil }
  public func read(upToCount count: Int) throws -> Data? { nil }
  open func readDataToEndOfFile() -> Data { Data() }
  open func seek(toFileOffset offset: UInt64) {}
  public func seek(toOffset offset: UInt64) throws {}
  open func closeFile() {}
  @discardableResult public func seekToEnd() throws -> UInt64 { 0 }
  public func close() throws {}
}

public protocol DataProtocol: RandomAccessCollection<UInt8> {}
extension Data: DataProtocol {}
extension [UInt8]: DataProtocol {}

open class Pipe: NSObject, @unchecked Sendable {
  open var fileHandleForReading: FileHandle { fatalError() }
  open var fileHandleForWriting: FileHandle { fatalError() }
}
