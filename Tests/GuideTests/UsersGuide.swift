import FlagComposition
import FlagDomain
import FlagProviders
import Foundation
import Testing

@Suite("Guide to users and targeting")
struct UsersGuide {
  private let proSearch = Flag("search.pro", default: false, "Searches the archive, too.")
  private let rule = """
    { "if": [{ "==": [{ "var": "plan" }, "pro"] }, "on", { "fractional": [["on", 10], ["off", 90]] }] }
    """

  @Test("What the guide shows holds")
  func holds() throws {
    let catalog = FlagCatalog("search") { proSearch }
    let definitions = Data(
      """
      {"flags": {"search.pro": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
        "targeting": \(rule)}}}
      """.utf8)
    let folder = FileManager.default.temporaryDirectory.appending(path: "users-guide-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
    let file = folder.appending(path: "visitor")
    let flags = try FeatureFlagClient(catalogs: [catalog]) { try InHouseProvider(data: definitions) }

    let plan = "pro"
    let ana = FlagUser(id: "ana", countryCode: "es", segments: ["beta"], attributes: ["plan": plan, "logins": 12])
    flags.authenticator.setUser(ana)
    #expect(flags.manager.variation(for: proSearch))

    flags.context.setAttribute("2.1.0", for: "appVersion")
    #expect(flags.inspector.resolution(of: proSearch).variant == "on")

    flags.authenticator.setUser(nil)
    let resolution = flags.inspector.resolution(of: proSearch)
    #expect(resolution.value == false)
    #expect(resolution.reason == .default)

    let ids = AnonymousIDs(in: FileAnonymousIDStore(file))
    let client = try FeatureFlagClient(catalogs: [catalog], configuration: .init { $0.anonymousIDs = ids }) {
      try InHouseProvider(data: definitions)
    }
    #expect(client.inspector.resolution(of: proSearch).reason == .targetingMatch)

    let id = try FileAnonymousIDStore(file).load()
    #expect(try ids.renew() != id)
    try ids.forget()
    #expect(try FileAnonymousIDStore(file).load() == nil)
  }
}
