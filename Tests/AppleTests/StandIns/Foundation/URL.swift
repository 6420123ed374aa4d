// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A stand-in for Foundation's URLs.

public struct URL: Hashable, Sendable, Codable, CustomStringConvertible {
  public enum DirectoryHint: Sendable { case isDirectory, notDirectory, checkFileSystem, inferFromPath }

  public init?(string: String) {}
  public init?(string: String, relativeTo base: URL?) {}
  public init?(string: String, encodingInvalidCharacters: Bool) {}
  public init(fileURLWithPath path: String) {}
  public init(fileURLWithPath path: String, isDirectory: Bool) {}
  public init(filePath path: String, directoryHint: DirectoryHint = .inferFromPath, relativeTo base: URL? = nil) {}

  public var absoluteString: String { "" }
  public var absoluteURL: URL { self }
  public var description: String { "" }
  public var scheme: String? { nil }
  public var host: String? { nil }
  public func host(percentEncoded: Bool = true) -> String? { nil }
  public var port: Int? { nil }
  public var path: String { "" }
  public func path(percentEncoded: Bool = true) -> String { "" }
  public var query: String? { nil }
  public func query(percentEncoded: Bool = true) -> String? { nil }
  public func fragment(percentEncoded: Bool = true) -> String? { nil }
  public var user: String? { nil }
  public var password: String? { nil }
  public func user(percentEncoded: Bool = true) -> String? { nil }
  public func password(percentEncoded: Bool = true) -> String? { nil }
  public var isFileURL: Bool { false }
  public var pathComponents: [String] { [] }
  public var pathExtension: String { "" }
  public var lastPathComponent: String { "" }
  public var standardizedFileURL: URL { self }
  public func resolvingSymlinksInPath() -> URL { self }
  public func deletingLastPathComponent() -> URL { self }
  public mutating func deleteLastPathComponent() {}
  public mutating func append(path: some StringProtocol, directoryHint: DirectoryHint = .inferFromPath) {}
  public func deletingPathExtension() -> URL { self }
  public func appendingPathComponent(_ component: String) -> URL { self }
  public func appendingPathExtension(_ pathExtension: String) -> URL { self }
  public func appending<Text: StringProtocol>(path: Text, directoryHint: DirectoryHint = .inferFromPath) -> URL { self }
  public func appending<Text: StringProtocol>(
    component: Text, directoryHint: DirectoryHint = .inferFromPath
  ) -> URL { self }
  public func appending(queryItems: [URLQueryItem]) -> URL { self }
  public func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues { URLResourceValues() }
  public mutating func setResourceValues(_ values: URLResourceValues) throws {}

  public static func currentDirectory() -> URL { fatalError() }
  public static var temporaryDirectory: URL { fatalError() }
  public static var cachesDirectory: URL { fatalError() }
  public static var applicationSupportDirectory: URL { fatalError() }
  @available(iOS, unavailable) @available(tvOS, unavailable) @available(watchOS, unavailable)
  @available(visionOS, unavailable)
  public static var homeDirectory: URL { fatalError() }
}

public struct URLResourceKey: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public static let isDirectoryKey = URLResourceKey(rawValue: "isDirectory")
  public static let isRegularFileKey = URLResourceKey(rawValue: "isRegularFile")
  public static let isExcludedFromBackupKey = URLResourceKey(rawValue: "isExcludedFromBackup")
}

public struct URLResourceValues {
  public init() {}
  public var isDirectory: Bool? { nil }
  public var isRegularFile: Bool? { nil }
  public var isExcludedFromBackup: Bool? {
    get { nil }
    set {}
  }
}

public struct URLQueryItem: Hashable, Sendable {
  public var name: String
  public var value: String?
  public init(name: String, value: String?) {
    self.name = name
    self.value = value
  }
}

public struct URLComponents: Hashable, Sendable {
  public init() {}
  public init?(string: String) {}
  public init?(url: URL, resolvingAgainstBaseURL: Bool) {}
  public var url: URL? { nil }
  public var string: String? { nil }
  public var scheme: String?
  public var user: String?
  public var password: String?
  public var host: String?
  public var encodedHost: String?
  public var port: Int?
  public var path = ""
  public var percentEncodedPath = ""
  public var query: String?
  public var percentEncodedQuery: String?
  public var fragment: String?
  public var queryItems: [URLQueryItem]?
}
