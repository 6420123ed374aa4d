import FlagFiles
import FlagSupport

/// The Swift files of one folder or several.
struct SourceFolder {
  struct File {
    /// The path for output: that of the folder as it was given, and the rest.
    let path: String
    let realPath: String
  }

  let files: [File]

  /// Finds the files in folders and their subfolders, each once, except hidden ones and build products.
  init(_ paths: [String]) throws(ToolError) {
    var (files, known): ([File], Set<String>) = ([], [])
    for path in paths {
      files += try SourceFolder(path).files.filter { known.insert($0.realPath).inserted }
    }
    self.files = files.sorted { $0.path < $1.path }
  }

  private init(_ path: String) throws(ToolError) {
    guard let root = SystemPath.resolved(path) else { throw Self.unreadable(path) }
    var files: [File] = []
    var rest = [(shown: path, real: String(decoding: root, as: UTF8.self))]
    while let folder = rest.popLast() {
      guard let names = SystemPath.names(in: folder.real) else { throw Self.unreadable(folder.shown) }
      for name in names where !name.hasPrefix(".") {
        let shown = folder.shown.hasSuffix("/") ? folder.shown + name : "\(folder.shown)/\(name)"
        let real = folder.real == "/" ? "/\(name)" : "\(folder.real)/\(name)"
        var status = stat()
        // Symbolic links are not followed: their targets are in the folder itself, or do not belong to it.
        guard SystemPath.read(&status, of: real, followingLinks: false) == 0 else { continue }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: rest.append((shown, real))
        case S_IFREG where name.hasSuffix(".swift"):
          files.append(File(path: shown, realPath: real))
        default: break
        }
      }
    }
    self.files = files
  }

  private static func unreadable(_ path: String) -> ToolError {
    .data("\(path): the folder cannot be read: \(SystemError())")
  }
}
