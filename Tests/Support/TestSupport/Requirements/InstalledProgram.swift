package import Foundation

/// Programs of the machine, in the folders that systems install them in.
package enum InstalledProgram {
  private static let folders = [
    "/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin", "/opt/homebrew/bin", "/opt/local/bin",
  ]

  /// The folders of programs, as a value of PATH: those of systems, then those of this process's environment.
  package static let path = (folders + pathFolders).joined(separator: ":")

  /// The folders that the environment names.
  static let pathFolders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)

  /// Returns a program by its name; nil if there is none.
  package static func find(_ name: String) -> URL? { find(name, in: folders + pathFolders) }

  static func find(_ name: String, in folders: [String]) -> URL? {
    folders.map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile).map { URL(filePath: $0) }
  }

  /// Returns a program that a test needs by its trait.
  ///
  /// - Throws: An error if there is none.
  package static func require(_ name: String) throws -> URL {
    guard let program = find(name) else { throw Requirement.Missing(description: "\(name) is missing") }
    return program
  }

  /// The browser, under the names that systems give it.
  package static let chromium = find("chromium") ?? find("chromium-browser") ?? find("google-chrome")
}
