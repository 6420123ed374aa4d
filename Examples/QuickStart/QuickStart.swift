import FeatureFlags
import FeedFlags
import Foundation
import SettingsFlags

/// Shows two feature modules for several users, with the values from one source after the other.
@main
enum QuickStart {
  static func main() async {
    do {
      let arguments = try Arguments(CommandLine.arguments.dropFirst())
      print("Definitions: \(arguments.file.lastPathComponent)")
      for source in try Source.all(definitions: arguments.file) {
        print("\n=== \(source.title) ===")
        try await show(source, to: arguments.visitors)
      }
    } catch let error as UsageError {
      fail(error.message, code: 64)
    } catch {
      fail("\(error)", code: 1)
    }
  }

  /// The composition root: the only place that names providers.
  private static func show(_ source: Source, to visitors: [Visitor]) async throws {
    let flags = try FeatureFlagClient(catalogs: [SettingsFlags.catalog, FeedFlags.catalog]) { source.provider }
    let app = App(
      signIn: SignInModel(authenticator: flags.authenticator),
      settings: SettingsModel(flags: flags.manager),
      feed: FeedModel(flags: flags.manager))
    for visitor in visitors {
      if let user = visitor.user { app.signIn.signIn(user) } else { app.signIn.signOut() }
      await source.settle()
      print("\n--- \(visitor.title) ---")
      print(Columns(app.settings.screen, app.feed.screen))
      print(FlagTable(flags.catalogs, inspector: flags.inspector))
    }
    guard source.publish() else { return }
    let sizes = flags.observer.values(of: FeedFlags.flags.pageSize)
    for await size in sizes where size == Source.publishedPageSize { break }
    print("\n--- The service publishes another page size ---")
    print(Columns(app.settings.screen, app.feed.screen), terminator: "")
  }

  private static func fail(_ message: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data("QuickStart: \(message)\n".utf8))
    exit(code)
  }
}

/// The parts of an app, which do not know where values come from.
struct App {
  let signIn: SignInModel
  let settings: SettingsModel
  let feed: FeedModel
}

/// Signs users in and out; it sees the one port that it uses.
struct SignInModel {
  private let authenticator: any UserAuthenticator

  init(authenticator: any UserAuthenticator) { self.authenticator = authenticator }

  func signIn(_ user: FlagUser) { authenticator.setUser(user) }
  func signOut() { authenticator.setUser(nil) }
}
