// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What Foundation has on Apple's systems and not on Linux, as Apple documents it, and what is not printed of Linux's.

// The compiler calls these for casts to and from `NSError`.
public func _convertErrorToNSError(_ error: any Error) -> NSError { fatalError() }
public func _convertNSErrorToError(_ error: NSError?) -> any Error { fatalError() }

extension URLError: CustomNSError {
  public init(_ code: Code, userInfo: [String: Any] = [:]) { fatalError() }
  public var errorCode: Int { fatalError() }
}

extension ProcessInfo {
  @available(macOS, unavailable)
  public func performExpiringActivity(
    withReason reason: String, using block: @escaping @Sendable (_ expired: Bool) -> Void
  ) { fatalError() }
}
