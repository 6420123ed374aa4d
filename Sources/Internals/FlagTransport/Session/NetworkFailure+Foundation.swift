#if !canImport(Glibc) || TESTS_URLSESSION
  import FlagHTTP
  import Foundation

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  extension NetworkFailure {
    /// Extracts the codes of an error and of its underlying errors.
    init(_ error: any Error, host: HTTPHost?) {
      // On Linux an error of this domain may be of either type.
      let code = (error as NSError).domain == NSURLErrorDomain ? (error as NSError).code : 0
      self.init(code: (error as? URLError)?.errorCode ?? code, host: host)
      #if canImport(Darwin)
        hasLocalNetworkPrivacy = true
      #endif
      var next: NSError? = error as NSError
      // A cycle of underlying errors would otherwise be an endless loop.
      for _ in 0..<8 {
        guard let error = next else { return }
        if let number = error.systemError { systemErrors.append(number) }
        if error.prohibitsLocalNetwork { isLocalNetworkProhibited = true }
        next = error.userInfo[NSUnderlyingErrorKey] as? NSError
      }
    }
  }

  extension NSError {
    /// The system's code, from the error itself or from its description of a stream error.
    fileprivate var systemError: Int32? {
      if domain == NSPOSIXErrorDomain { return Int32(exactly: code) }
      // The domain 1 of a stream's error is that of system codes.
      guard userInfo["_kCFStreamErrorDomainKey"] as? Int == 1 else { return nil }
      return (userInfo["_kCFStreamErrorCodeKey"] as? Int).flatMap { Int32(exactly: $0) }
    }

    /// Whether it describes the state of the network, as the system does without the user's permission.
    fileprivate var prohibitsLocalNetwork: Bool {
      userInfo.values.contains { value in
        guard !(value is NSError), !(value is URL) else { return false }
        return "\(value)".contains("Local network prohibited")
      }
    }
  }
#endif
