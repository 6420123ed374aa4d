// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A stand-in for Foundation's bytes: what is newer than the systems of 2024 is marked as Apple marks it.

public struct Data: Hashable, Sendable, RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  public init() {}
  public init(count: Int) {}
  public init(capacity: Int) {}
  public init(repeating byte: UInt8, count: Int) {}
  public init<Bytes: Sequence<UInt8>>(_ bytes: Bytes) {}
  public init(bytes: UnsafeRawPointer, count: Int) {}
  public var startIndex: Int { 0 }
  public var endIndex: Int { 0 }
  public var count: Int {
    get { 0 }
    set {}
  }
  public subscript(index: Int) -> UInt8 {
    get { 0 }
    set {}
  }
  public subscript(range: Range<Int>) -> Data {
    get { self }
    set {}
  }
  public mutating func replaceSubrange<Bytes: Collection<UInt8>>(_ range: Range<Int>, with bytes: Bytes) {}
  public mutating func append(_ other: Data) {}
  public mutating func append<Bytes: Sequence<UInt8>>(contentsOf bytes: Bytes) {}
  public mutating func reserveCapacity(_ count: Int) {}
  public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    fatalError()
  }
  public mutating func withUnsafeMutableBytes<Result>(
    _ body: (UnsafeMutableRawBufferPointer) throws -> Result
  ) rethrows -> Result { fatalError() }
  public func range(of data: some DataProtocol, in range: Range<Int>? = nil) -> Range<Int>? { nil }
  public func subdata(in range: Range<Int>) -> Data { self }

  // For every system, as its code is in the program itself; an array's is of the system of 2025.
  public var bytes: RawSpan { @_lifetime(borrow self) get { fatalError() } }
  public var span: Span<UInt8> { @_lifetime(borrow self) get { fatalError() } }
}

extension Data: CustomStringConvertible, Codable {
  public var description: String { "" }
  public init(from decoder: any Decoder) throws {}
  public func encode(to encoder: any Encoder) throws {}
}

extension Data {
  public struct ReadingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let mappedIfSafe = ReadingOptions(rawValue: 1)
    public static let uncached = ReadingOptions(rawValue: 2)
    public static let alwaysMapped = ReadingOptions(rawValue: 8)
  }

  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let atomic = WritingOptions(rawValue: 1)
    public static let withoutOverwriting = WritingOptions(rawValue: 2)
    public static let noFileProtection = WritingOptions(rawValue: 0x1000_0000)
    public static let completeFileProtection = WritingOptions(rawValue: 0x2000_0000)
    public static let completeFileProtectionUntilFirstUserAuthentication = WritingOptions(rawValue: 0x4000_0000)
  }

  public struct Base64EncodingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }

  public struct Base64DecodingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let ignoreUnknownCharacters = Base64DecodingOptions(rawValue: 1)
  }

  public init(contentsOf url: URL, options: ReadingOptions = []) throws {}
  public func write(to url: URL, options: WritingOptions = []) throws {}
  public init?(base64Encoded text: String, options: Base64DecodingOptions = []) {}
  public init?(base64Encoded bytes: Data, options: Base64DecodingOptions = []) {}
  public func base64EncodedString(options: Base64EncodingOptions = []) -> String { "" }
}
