// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A stand-in for the part of Security that this package uses, and for what Foundation has of it on Apple's systems
// alone: names and types as Apple documents them. It is there so that code for these systems is type-checked where they
// are not; it never runs. What Foundation on Linux has, but declares unavailable, is nearer here and so wins.

public import Foundation
public import FoundationNetworking

public typealias OSStatus = Int32
public typealias CFTypeID = UInt
public typealias CFTypeRef = AnyObject
public typealias CFAllocator = AnyObject
public typealias CFString = String
public typealias CFData = NSData
public typealias CFArray = NSArray
public typealias CFDictionary = NSDictionary
public typealias CFError = NSError

public final class SecCertificate {}
public final class SecIdentity {}
public final class SecTrust {}

public let errSecSuccess: OSStatus = 0
public let kSecImportExportPassphrase: CFString = ""
public let kSecImportToMemoryOnly: CFString = ""
public let kSecImportItemIdentity: CFString = ""
public let kSecImportItemCertChain: CFString = ""

public func CFGetTypeID(_ cf: CFTypeRef?) -> CFTypeID { 0 }
public func SecIdentityGetTypeID() -> CFTypeID { 0 }
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? { nil }
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray?) -> OSStatus { 0 }
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus { 0 }
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool { false }
@discardableResult
public func SecPKCS12Import(
  _ pkcs12_data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus { 0 }

// MARK: - Foundation

public let NSURLAuthenticationMethodServerTrust = ""
public let NSURLAuthenticationMethodClientCertificate = ""

extension URLProtectionSpace {
  public var serverTrust: SecTrust? { nil }
}

extension URLCredential {
  public convenience init(trust: SecTrust) { self.init(user: "", password: "", persistence: .none) }
  public convenience init(identity: SecIdentity, certificates: [Any]?, persistence: URLCredential.Persistence) {
    self.init(user: "", password: "", persistence: persistence)
  }
}
