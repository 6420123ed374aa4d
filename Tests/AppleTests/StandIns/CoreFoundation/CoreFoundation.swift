// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A stand-in for CoreFoundation: types that are Foundation's own under other names are declared beside those.

@_exported import Darwin

public typealias CFTypeID = UInt
public typealias CFTypeRef = AnyObject
public typealias CFIndex = Int
public typealias CFTimeInterval = Double
public final class CFAllocator {}
public func CFGetTypeID(_ cf: CFTypeRef?) -> CFTypeID { 0 }
