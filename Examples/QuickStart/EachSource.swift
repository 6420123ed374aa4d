import FeatureFlags
import FeedFlags
import Foundation
import SettingsFlags
import SignIn

extension QuickStart {
  /// Shows the screens and the flags with the values from one source after the other.
  static func showEachSource(_ arguments: Arguments) async throws {
    print("Definitions: \(arguments.file.lastPathComponent)")
    for source in try Source.all(definitions: arguments.file) {
      print("\n=== \(source.title) ===")
      try await show(source, to: arguments.visitors)
    }
  }

  private static func show(_ source: Source, to visitors: [Visitor]) async throws {
    let errors = ReportedErrors()
    let flags = try FeatureFlagClient(
      catalogs: [SettingsFlags.catalog, FeedFlags.catalog], configuration: .init { $0.reporter = errors }
    ) { source.provider }
    let signIn = SignInModel(authenticator: flags.authenticator)
    let (settings, feed) = (SettingsModel(flags: flags.manager), FeedModel(flags: flags.manager))
    for visitor in visitors {
      if let user = visitor.user { signIn.signIn(user) } else { signIn.signOut() }
      _ = await flags.ready(timeout: .seconds(5))
      print("\n--- \(visitor.title) ---")
      print(Columns(settings.screen, feed.screen))
      print(FlagTable(flags.catalogs, inspector: flags.inspector, showsVariants: true))
      for error in errors.taken() { print("! \(error)") }
    }
    guard source.publish() else { return }
    let sizes = flags.observer.values(of: FeedFlags.flags.pageSize)
    for await size in sizes where size == Source.publishedPageSize { break }
    print("\n--- The service publishes another page size ---")
    print(Columns(settings.screen, feed.screen), terminator: "")
  }
}

/// The errors that a client reports: each cause once, however many flags and people it concerns.
private final class ReportedErrors: FlagErrorReporter {
  private let errors = Locked<[FlagError]>([])

  func report(_ error: FlagError) { errors.withLock { $0.append(error) } }

  /// Returns the errors that were reported since the last call.
  func taken() -> [FlagError] {
    errors.withLock { errors in
      defer { errors = [] }
      return errors
    }
  }
}
