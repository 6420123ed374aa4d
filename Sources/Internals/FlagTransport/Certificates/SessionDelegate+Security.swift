#if canImport(Security)
  import Foundation
  import Security

  extension SessionDelegate {
    // A method of the task, not of the session, so that the refused request gets the reason. The session calls it for
    // certificates, too, if its delegate lacks the session's own method.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      do throws(TransportError) {
        let credential = try credential(for: challenge.protectionSpace)
        completionHandler(credential == nil ? .performDefaultHandling : .useCredential, credential)
      } catch {
        refuse(task, error)
        completionHandler(.cancelAuthenticationChallenge, nil)
      }
    }

    private func credential(for space: URLProtectionSpace) throws(TransportError) -> URLCredential? {
      switch try certificates?.answer(to: Challenge(space.authenticationMethod)) {
      case .trust(let authorities, let path): try URLCredential(space.serverTrust, authorities, path)
      case .identity(let content, let path, let password): try URLCredential(identity: content, path, password)
      case .standard, nil: nil
      }
    }
  }

  extension Challenge {
    fileprivate init(_ method: String) {
      self =
        switch method {
        case NSURLAuthenticationMethodServerTrust: .host
        case NSURLAuthenticationMethodClientCertificate: .client
        default: .other
        }
    }
  }

  extension URLCredential {
    fileprivate convenience init(_ trust: SecTrust?, _ authorities: [Data], _ path: String) throws(TransportError) {
      var anchors: [SecCertificate] = []
      for authority in authorities {
        guard let anchor = SecCertificateCreateWithData(nil, NSData(data: authority) as CFData) else {
          throw .certificate("\(path): certificate \(anchors.count + 1) cannot be read")
        }
        anchors.append(anchor)
      }
      guard let trust, SecTrustSetAnchorCertificates(trust, NSArray(array: anchors) as CFArray) == errSecSuccess,
        SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess, SecTrustEvaluateWithError(trust, nil)
      else { throw .hostRefused }
      self.init(trust: trust)
    }

    fileprivate convenience init(identity content: Data, _ path: String, _ password: String) throws(TransportError) {
      var options: [String: Any] = [:]
      options[kSecImportExportPassphrase as String] = password
      #if os(macOS) || targetEnvironment(macCatalyst)
        // Other systems write nothing to a keychain anyway.
        options[kSecImportToMemoryOnly as String] = true
      #endif
      var items: CFArray?
      let status = SecPKCS12Import(
        NSData(data: content) as CFData, NSDictionary(dictionary: options) as CFDictionary, &items)
      // The compiler accepts any object as one of Core Foundation's, so its type is checked.
      guard status == errSecSuccess, let item = (items as? [[String: Any]])?.first,
        let identity = item[kSecImportItemIdentity as String],
        CFGetTypeID(identity as CFTypeRef) == SecIdentityGetTypeID()
      else { throw .identityRefused(path, status: status) }
      let chain = item[kSecImportItemCertChain as String] as? [SecCertificate] ?? []
      // swift-format-ignore: NeverForceUnwrap
      let client = identity as! SecIdentity
      // The first of the chain is the client's own, which the identity contains.
      self.init(identity: client, certificates: Array(chain.dropFirst()), persistence: .forSession)
    }
  }
#endif
