package import Foundation

/// The programs of PostgreSQL's server.
package enum PostgreSQL {
  /// Their folder, the newest version's; Debian and Homebrew keep them out of the path.
  package static let programs: URL? = {
    let folders = ["/usr/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt"].flatMap { root in
      names(in: root).sorted { $0.compare($1, options: .numeric) == .orderedDescending }.map { "\(root)/\($0)/bin" }
    }
    let found = InstalledProgram.find("initdb", in: folders) ?? InstalledProgram.find("initdb")
    return found?.deletingLastPathComponent()
  }()

  private static func names(in folder: String) -> [String] {
    // A folder that is not there has no versions.
    do { return try FileManager.default.contentsOfDirectory(atPath: folder) } catch { return [] }
  }
}
