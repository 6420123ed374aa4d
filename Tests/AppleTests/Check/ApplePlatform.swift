import Testing

/// A system of Apple's, in the oldest version that the package is for.
struct ApplePlatform: Sendable, CustomTestStringConvertible {
  /// The system's name, as conditions of the compiler have it.
  let name: String
  /// The name of the system in a target triple.
  let system: String
  /// The name in the manifest.
  let manifestName: String
  /// The suffix after the version in a target triple.
  var environment = ""

  var testDescription: String { name }

  static let all = [
    ApplePlatform(name: "macOS", system: "macosx", manifestName: "macos"),
    ApplePlatform(name: "iOS", system: "ios", manifestName: "ios", environment: "-simulator"),
    ApplePlatform(name: "tvOS", system: "tvos", manifestName: "tvos", environment: "-simulator"),
    ApplePlatform(name: "watchOS", system: "watchos", manifestName: "watchos", environment: "-simulator"),
    ApplePlatform(name: "visionOS", system: "xros", manifestName: "visionos", environment: "-simulator"),
  ]
}

extension ApplePlatform {
  /// The target triple for the version that a manifest declares, on an architecture.
  ///
  /// The architecture is that of the machine that checks, since the standard library's interface is the one that is
  /// here: for platforms without a device, the simulator counts.
  func triple(_ manifest: PackageManifest, architecture: String) throws -> String {
    guard let declared = manifest.platforms.first(where: { $0.platformName == manifestName }) else {
      throw CheckFailure("the manifest declares no version of \(name)")
    }
    return "\(architecture)-apple-\(system)\(declared.version)\(environment)"
  }

  /// The name of an interface's file in a module's folder of an SDK.
  func interfaceName(architecture: String) -> String {
    let system = system == "macosx" ? "macos" : system
    return "\(architecture)-apple-\(system)\(environment).swiftinterface"
  }
}
