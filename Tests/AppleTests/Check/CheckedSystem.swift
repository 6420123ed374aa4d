import Foundation
import TestSupport

/// A system for which the package's targets have been checked once, for all tests that ask.
struct CheckedSystem: Sendable {
  let sdk: StandInSDK
  let check: TargetCheck
  let findings: [TargetCheck.Finding]
  let manifest: PackageManifest

  /// Checks the targets for a system, or returns what was found already.
  static func of(_ platform: ApplePlatform) async throws -> CheckedSystem {
    try await checked.system(platform)
  }

  private static let checked = Checked()

  private actor Checked {
    private var tasks: [String: Task<CheckedSystem, any Error>] = [:]

    func system(_ platform: ApplePlatform) async throws -> CheckedSystem {
      let name = platform.testDescription
      let task = tasks[name] ?? Task { try await CheckedSystem(platform) }
      tasks[name] = task
      return try await task.value
    }
  }

  private init(_ platform: ApplePlatform) async throws {
    let folder = try BuildFolder.root.appending(path: "apple/\(platform.testDescription)")
    if FileManager.default.fileExists(atPath: folder.path) { try FileManager.default.removeItem(at: folder) }
    (manifest, sdk) = try await onThread {
      let manifest = try PackageManifest.read()
      return (manifest, try StandInSDK(for: platform, manifest, Toolchain(), in: folder))
    }
    try await sdk.makeModules()
    let targets = manifest.targets(for: platform)
    check = TargetCheck(sdk: sdk, targets: targets, plugin: try BuildFolder.macroPlugin)
    findings = try await check.run()
  }
}

extension PackageManifest {
  /// Returns the targets that are checked for a system.
  ///
  /// A macro runs in the compiler, which runs on computers alone.
  func targets(for platform: ApplePlatform) -> [Target] {
    targets.filter { $0.type != "test" && ($0.type != "macro" || platform.name == "macOS") }
  }
}

/// The system that the tests were built on.
enum BuildFolder {
  /// The folder with the products.
  static var root: URL {
    get throws {
      let folders = sequence(first: URL(filePath: CommandLine.arguments[0])) { $0.deletingLastPathComponent() }
      let built = folders.prefix { $0.path != "/" }.first {
        FileManager.default.fileExists(atPath: $0.appending(path: "Modules/FlagDomain.swiftmodule").path)
      }
      guard let built else { throw CheckFailure("FlagDomain's module was not built beside the tests") }
      return built
    }
  }

  static var modules: URL { get throws { try root.appending(path: "Modules") } }

  /// The program that expands the package's macros.
  static var macroPlugin: URL { get throws { try root.appending(path: "FlagMacrosPlugin-tool") } }
}
