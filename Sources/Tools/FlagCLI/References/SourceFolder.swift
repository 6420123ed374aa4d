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
    guard let root = realpath(path, nil) else { throw Self.unreadable(path) }
    defer { free(root) }
    var files: [File] = []
    var rest = [(shown: path, real: String(cString: root))]
    while let folder = rest.popLast() {
      guard let directory = opendir(folder.real) else { throw Self.unreadable(folder.shown) }
      defer { closedir(directory) }
      while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard !name.hasPrefix(".") else { continue }
        let shown = folder.shown.hasSuffix("/") ? folder.shown + name : "\(folder.shown)/\(name)"
        let real = folder.real == "/" ? "/\(name)" : "\(folder.real)/\(name)"
        var status = stat()
        // Symbolic links are not followed: their targets are in the folder itself, or do not belong to it.
        guard lstat(real, &status) == 0 else { continue }
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
    .data("\(path): the folder cannot be read: \(String(cString: strerror(errno)))")
  }
}
