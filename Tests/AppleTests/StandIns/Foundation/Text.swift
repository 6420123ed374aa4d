// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A stand-in for what Foundation adds to text, and for its decimal numbers.

extension String {
  public struct Encoding: Hashable, Sendable {
    public static let utf8 = Encoding()
    public static let ascii = Encoding()
    public static let isoLatin1 = Encoding()
    public static let utf16 = Encoding()
  }

  public struct CompareOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let caseInsensitive = CompareOptions(rawValue: 1)
    public static let numeric = CompareOptions(rawValue: 64)
    public static let diacriticInsensitive = CompareOptions(rawValue: 128)
    public static let widthInsensitive = CompareOptions(rawValue: 256)
  }

  public init(contentsOf url: URL, encoding: Encoding) throws { self = "" }
  public init(contentsOfFile path: String, encoding: Encoding) throws { self = "" }
  public init?(data: Data, encoding: Encoding) { self = "" }
  public init(format: String, _ arguments: any CVarArg...) { self = "" }
  public init(format: String, locale: Locale?, _ arguments: any CVarArg...) { self = "" }
}

extension StringProtocol {
  public func components(separatedBy separator: some StringProtocol) -> [String] { [] }
  public func components(separatedBy set: CharacterSet) -> [String] { [] }
  public func trimmingCharacters(in set: CharacterSet) -> String { "" }
  public func replacingOccurrences(of text: some StringProtocol, with other: some StringProtocol) -> String { "" }
  public func addingPercentEncoding(withAllowedCharacters set: CharacterSet) -> String? { nil }
  public var removingPercentEncoding: String? { nil }
  public func localizedCaseInsensitiveContains(_ other: some StringProtocol) -> Bool { false }
  public func localizedStandardContains(_ other: some StringProtocol) -> Bool { false }
  public func contains(_ other: some StringProtocol) -> Bool { false }
  public func data(using encoding: String.Encoding, allowLossyConversion: Bool = false) -> Data? { nil }
  public func write(to url: URL, atomically: Bool, encoding: String.Encoding) throws {}
  public func write(toFile path: String, atomically: Bool, encoding: String.Encoding) throws {}
  public func padding(toLength length: Int, withPad pad: some StringProtocol, startingAt index: Int) -> String { "" }
  public func folding(options: String.CompareOptions = [], locale: Locale?) -> String { "" }
  public var capitalized: String { "" }
  public func compare(_ other: some StringProtocol, options: String.CompareOptions = []) -> ComparisonResult {
    .orderedSame
  }
  public func range(of text: some StringProtocol) -> Range<String.Index>? { nil }
  public var precomposedStringWithCanonicalMapping: String { "" }
}

public enum ComparisonResult: Int, Sendable {
  case orderedAscending = -1
  case orderedSame
  case orderedDescending
}

public struct CharacterSet: Hashable, Sendable, SetAlgebra {
  public init() {}
  public init(charactersIn text: String) {}
  public static let whitespaces = CharacterSet()
  public static let whitespacesAndNewlines = CharacterSet()
  public static let newlines = CharacterSet()
  public static let alphanumerics = CharacterSet()
  public static let urlPathAllowed = CharacterSet()
  public static let urlQueryAllowed = CharacterSet()
  public static let urlHostAllowed = CharacterSet()
  public func contains(_ scalar: Unicode.Scalar) -> Bool { false }
  public func union(_ other: CharacterSet) -> CharacterSet { self }
  public func intersection(_ other: CharacterSet) -> CharacterSet { self }
  public func symmetricDifference(_ other: CharacterSet) -> CharacterSet { self }
  public mutating func insert(_ scalar: Unicode.Scalar) -> (inserted: Bool, memberAfterInsert: Unicode.Scalar) {
    (true, scalar)
  }
  public mutating func remove(_ scalar: Unicode.Scalar) -> Unicode.Scalar? { nil }
  public mutating func update(with scalar: Unicode.Scalar) -> Unicode.Scalar? { nil }
  public mutating func formUnion(_ other: CharacterSet) {}
  public mutating func formIntersection(_ other: CharacterSet) {}
  public mutating func formSymmetricDifference(_ other: CharacterSet) {}
}

public struct Decimal: Hashable, Sendable, Codable, CustomStringConvertible, Comparable {
  public init() {}
  public init(_ value: Int) {}
  public init(_ value: Double) {}
  public init?(string: String, locale: Locale? = nil) {}
  public var isFinite: Bool { true }
  public var isNaN: Bool { false }
  public var description: String { "" }
  public static func < (a: Decimal, b: Decimal) -> Bool { false }
}
