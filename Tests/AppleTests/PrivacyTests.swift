import Foundation
import Testing

@Suite("Privacy manifests")
struct PrivacyTests {
  @Test("Each target that an app may link declares what it uses of the interfaces that want a reason, and no more")
  func declaresUses() throws {
    let manifest = try PackageManifest.read()
    let linked = manifest.linkedTargets
    #expect(linked.isSuperset(of: ["FlagFiles", "FlagProviders", "FlagDomain"]))
    #expect(linked.isDisjoint(with: ["FlagCLI", "FlagMacrosPlugin"]))
    for target in manifest.targets where linked.contains(target.name) {
      let file = target.folder.appending(path: Self.name)
      let isThere = FileManager.default.fileExists(atPath: file.path)
      let declared =
        try isThere ? PropertyListDecoder().decode(PrivacyManifest.self, from: Data(contentsOf: file)) : .empty
      let sources = try target.files(["swift", "c", "h"]).map { try String(contentsOf: $0, encoding: .utf8) }
      #expect(try declared.objections(to: sources) == [], "\(target.name)")
      #expect(!declared.NSPrivacyTracking)
      // Without a name in the manifest, the package manager warns here, and adds nothing there.
      let isNamed = (target.exclude + target.resources.map(\.path)).contains(Self.name)
      #expect(isNamed == isThere, "\(target.name)")
    }
  }

  @Test(
    "What is used and not declared is objected to, and what is declared and not used",
    arguments: [
      ("var a = stat()", [:], ["used and not declared: NSPrivacyAccessedAPICategoryFileTimestamp"]),
      ("fstat(number, &status)", ["FileTimestamp": ["C617.1"]], []),
      (
        "lstat(path, &a)", ["FileTimestamp": ["CA92.1"]],
        ["no reason of NSPrivacyAccessedAPICategoryFileTimestamp: CA92.1"]
      ),
      ("// stat() in a comment, and \"stat\"", [:], []),
      ("let a = \"stat of UserDefaults\"", [:], []),
      (
        "let statistics = 1", ["FileTimestamp": ["C617.1"]],
        ["declared and not used: NSPrivacyAccessedAPICategoryFileTimestamp"]
      ),
      (
        "ProcessInfo.processInfo.systemUptime", [:],
        ["used and not declared: NSPrivacyAccessedAPICategorySystemBootTime"]
      ),
      ("UserDefaults.standard", ["UserDefaults": ["CA92.1", "1C8F.1"]], []),
      ("let a = 1", ["Clipboard": ["AAAA.1"]], ["unknown: NSPrivacyAccessedAPICategoryClipboard"]),
    ] as [(String, [String: [String]], [String])])
  func objects(source: String, declared: [String: [String]], objections: [String]) throws {
    let manifest = PrivacyManifest(
      NSPrivacyTracking: false,
      NSPrivacyAccessedAPITypes: declared.map {
        PrivacyManifest.Access(
          NSPrivacyAccessedAPIType: "NSPrivacyAccessedAPICategory\($0)", NSPrivacyAccessedAPITypeReasons: $1)
      })
    #expect(try manifest.objections(to: [source]) == objections)
  }

  private static let name = "PrivacyInfo.xcprivacy"
}
