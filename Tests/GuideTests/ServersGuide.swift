import FeedFlags
import FlagComposition
import FlagDomain
import FlagProviders
import Foundation
import Testing

/// The input of a web framework's handler.
private struct Request {
  var userID: String
  var country: String
}

@Suite("Guide to servers")
struct ServersGuide {
  @Test("What the guide shows holds")
  func holds() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Examples/QuickStart/flags.json")
    let flags = try FeatureFlagClient(catalogs: [FeedFlags.catalog]) {
      try InHouseProvider(contentsOf: file)
    }
    let screens = ["es", "us"].map { handle(Request(userID: "42", country: $0), with: flags) }
    #expect(screens.allSatisfy { $0.first == "Feed" })
  }

  private func handle(_ request: Request, with flags: FeatureFlagClient) -> [String] {
    let user = FlagUser(id: request.userID, countryCode: request.country)
    let feed = FeedModel(flags: flags.manager(for: user))
    return feed.screen
  }
}
