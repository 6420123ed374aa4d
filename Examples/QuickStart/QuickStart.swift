import FeatureFlags
import FeedFlags
import FlagDefinitions
import FlagMocks
import Foundation
import SettingsFlags
import SignIn

/// Shows the flags of two feature modules for three people, with values from three sources; by `--all`, more.
@main
enum QuickStart {
  static func main() async {
    do {
      let arguments = try Arguments(CommandLine.arguments.dropFirst())
      if arguments.showsAll {
        try await showEachSource(arguments)
      } else {
        try await showChain(arguments)
      }
    } catch let error as UsageError {
      fail(error.message, code: 64)
    } catch {
      fail("\(error)", code: 1)
    }
  }

  /// The composition root: the only place that names providers.
  private static func showChain(_ arguments: Arguments) async throws {
    let inHouse = try InHouseProvider(contentsOf: arguments.file)
    let flags = try FeatureFlagClient(catalogs: [SettingsFlags.catalog, FeedFlags.catalog]) {
      inHouse  // asked first
      RemoteProvider(launchDarkly)  // asked where the first has no value
      RemoteProvider(firebase)
    }
    let signIn = SignInModel(authenticator: flags.authenticator)

    print("One client asks in turn: \(arguments.file.lastPathComponent), LaunchDarkly, Firebase.")
    noteStrangers(of: inHouse, among: flags.catalogs, in: arguments.file)
    for visitor in arguments.visitors {
      if let user = visitor.user { signIn.signIn(user) } else { signIn.signOut() }
      _ = await flags.ready(timeout: .seconds(5))
      print("\n\(visitor.title)\n\(FlagTable(flags.catalogs, inspector: flags.inspector))")
    }

    let pageSize = FeedFlags.flags.pageSize
    try flags.overrides.override(pageSize, with: 1)
    print("\nA developer overrides \(pageSize.key) with 1")
    print(FlagTable([FlagCatalog("overridden") { pageSize }], inspector: flags.inspector))
    print("\nThe screens, each source alone, an outage and a live update: swift run QuickStart --all")
  }

  private static let launchDarkly = MockLaunchDarkly(["updated-settings-ui": false, "feed-ranking": "chronological"]) {
    $0?.segments.contains("beta") == true ? ["updated-settings-ui": true, "feed-ranking": "popular"] : [:]
  }

  private static let firebase = MockFirebaseRemoteConfig(defaults: ["feed.page-size": "10"]) {
    $0?.countryCode == "us" ? ["feed.page-size": "30"] : [:]
  }

  private static func fail(_ message: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data("QuickStart: \(message)\n".utf8))
    exit(code)
  }
}

/// Says so if no flag of a file is one of the program's.
func noteStrangers(of provider: InHouseProvider, among catalogs: [FlagCatalog], in file: URL) {
  let (own, found) = (catalogs.flatMap(\.flags).map(\.key.name), provider.document?.keys ?? [])
  guard Set(own).isDisjoint(with: found) else { return }
  let list = found.isEmpty ? "none" : found.prefix(5).joined(separator: ", ") + (found.count > 5 ? ", …" : "")
  print("No flag of \(file.lastPathComponent) is one of this program's: it has \(list).")
  print("The program's are \(own.joined(separator: ", ")).")
}
