// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A stand-in for Foundation's processes: other programs are run on computers alone, and not by apps of Mac Catalyst.

open class ProcessInfo: NSObject, @unchecked Sendable {
  open class var processInfo: ProcessInfo { fatalError() }
  open var environment: [String: String] { [:] }
  open var arguments: [String] { [] }
  open var hostName: String { "" }
  open var processName: String { "" }
  open var processIdentifier: Int32 { 0 }
  open var activeProcessorCount: Int { 1 }
  open var processorCount: Int { 1 }
  open var physicalMemory: UInt64 { 0 }
  open var systemUptime: TimeInterval { 0 }
  open var operatingSystemVersionString: String { "" }
  @available(iOS, unavailable) @available(tvOS, unavailable) @available(watchOS, unavailable)
  @available(visionOS, unavailable)
  open var userName: String { "" }
  @available(macOS, unavailable)
  open func performExpiringActivity(
    withReason reason: String, using block: @escaping @Sendable (_ expired: Bool) -> Void
  ) {}
}

@available(iOS, unavailable) @available(tvOS, unavailable) @available(watchOS, unavailable)
@available(visionOS, unavailable) @available(macCatalyst, unavailable)
open class Process: NSObject, @unchecked Sendable {
  open var executableURL: URL?
  open var arguments: [String]?
  open var environment: [String: String]?
  open var currentDirectoryURL: URL?
  open var standardInput: Any?
  open var standardOutput: Any?
  open var standardError: Any?
  open func run() throws {}
  open func terminate() {}
  open func waitUntilExit() {}
  open var terminationStatus: Int32 { 0 }
}

public func NSUserName() -> String { "" }
public func NSHomeDirectory() -> String { "" }
public func NSTemporaryDirectory() -> String { "" }
