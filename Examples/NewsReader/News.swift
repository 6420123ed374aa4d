package import FeatureFlags
import FeedFlags
package import Foundation
import SettingsFlags

/// The news reader's composition root: the one place that knows all modules, and where their flags' values come from.
package enum News {
  /// Creates the client; a terminal and a window add the flags and settings that only one of them has.
  package static func client(
    _ arguments: Arguments, adding catalogs: [FlagCatalog] = [], _ provider: some FlagProvider,
    configure: (inout FeatureFlagClient.Configuration) -> Void
  ) throws -> FeatureFlagClient {
    try FeatureFlagClient(
      catalogs: [SettingsFlags.catalog, FeedFlags.catalog] + catalogs,
      configuration: .init {
        // The page size depends on the visitor, not on the user who signs in.
        $0.anonymousIDs = arguments.visitor.map { AnonymousIDs(in: FileAnonymousIDStore($0)) }
        $0.overrides = arguments.overrides.map { FileOverrideStore($0) }
        $0.launch = [LaunchArgumentsProvider(), EnvironmentProvider(prefix: "FLAG")]
        configure(&$0)
      }
    ) { provider }
  }

  /// The program's arguments; unknown ones are left to flags.
  package struct Arguments {
    package var file: URL
    var overrides: URL?
    /// The file of the visitor's id; nil for visitors without one.
    var visitor: URL?
    /// The address of a service to fetch definitions from, instead of the file.
    package var service: URL?
    /// The folder of the service's cached answer.
    package var cache: URL?

    package init(_ words: [String]) throws {
      func text(of option: String) -> String? {
        words.firstIndex(of: option).flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
      }
      func value(of option: String) -> URL? { text(of: option).map { URL(filePath: $0) } }
      guard let file = value(of: "--flags") ?? Bundle.module.url(forResource: "flags", withExtension: "json") else {
        throw CocoaError(.fileNoSuchFile)
      }
      self.file = file
      overrides = value(of: "--overrides")
      visitor = value(of: "--visitor")
      service = text(of: "--service").flatMap { URL(string: $0) }
      cache = value(of: "--cache")
    }
  }
}
