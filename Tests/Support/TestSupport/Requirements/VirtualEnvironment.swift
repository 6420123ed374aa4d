package import Foundation

/// Packages of Python that `.ci/run` installs, in a folder of their own below `.build`.
package enum VirtualEnvironment: String, Sendable {
  case browser
  case duckDB = "sql"
  case etcd
  case growthBook = "growthbook"
  case jsonLogic = "jsonlogic"
  case launchDarkly = "launchdarkly"
  case ofrep
  case openTelemetry = "otlp"
  case spark

  /// The folder, from that of the package.
  package var folder: String { ".build/\(rawValue)" }

  /// The folder.
  ///
  /// No link on the way is followed, since an environment is known by its own path.
  package var url: URL { packageFolder.appending(path: folder) }

  /// Its Python.
  package var python: URL { url.appending(path: "bin/python3") }

  var isThere: Bool { FileManager.default.isExecutableFile(atPath: python.path) }
}

/// The folder of the package.
package let packageFolder = (0..<5).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
