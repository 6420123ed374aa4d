import Foundation
import Testing

@Suite("The package on Apple's systems", .whenAsked, .timeLimit(.minutes(20)))
struct TargetTests {
  @Test("Every target compiles for the oldest version that the manifest declares", arguments: ApplePlatform.all)
  func compiles(platform: ApplePlatform) async throws {
    let system = try await CheckedSystem.of(platform)
    for finding in system.findings {
      #expect(finding.errors.isEmpty, "\(finding.target): \(finding.errors.joined(separator: "\n"))")
    }
    #expect(system.findings.map(\.target) == system.manifest.targets(for: platform).map(\.name))
    #expect(system.findings.count > 30)
  }

  @Test(
    "In every target, what only Linux has is an error, and so is what is newer than the oldest system",
    arguments: ApplePlatform.all.filter { $0.name == "macOS" })
  func refuses(platform: ApplePlatform) async throws {
    let control = StandInSDK.sources.appending(path: "LinuxOnly.swift")
    let accepting = try await CheckedSystem.of(platform).check.accepting(
      control,
      butFor: [
        "cannot find 'epoll_create1' in scope", "'span' is only available in",
        "cannot convert value of type 'String' to specified type 'Int'",
      ])
    #expect(accepting == [])
  }

  @Test("The manifest declares every one of Apple's systems, and each is looked at")
  func knowsSystems() throws {
    let manifest = try PackageManifest.read()
    #expect(Set(manifest.platforms.map(\.platformName)) == Set(ApplePlatform.all.map(\.manifestName)))
  }
}
