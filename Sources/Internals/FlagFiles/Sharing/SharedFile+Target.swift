import FlagSupport

extension SharedFile {
  private static let maximumLinks = 40

  /// Returns the path to write to: behind all links, if they are followed.
  package func target() throws(FileError) -> String {
    guard followsLinks else { return path }
    do throws(FileError.Reason) {
      return try Self.target(of: path, links: Self.maximumLinks)
    } catch {
      throw FileError(.write, path, error)
    }
  }

  /// Returns the path, without links, of a file that may be missing, in a directory that is not.
  private static func target(of path: String, links: Int) throws(FileError.Reason) -> String {
    if path.utf8.contains(0) { throw .system(EINVAL) }
    if links < 0 { throw .system(ELOOP) }
    let directory = try realPath(of: Self.path(".", beside: path))
    let target = "\(directory == "/" ? "" : directory)/\(name(of: path))"
    var status = stat()
    do throws(FileError.Reason) {
      try FileError.check { SystemPath.read(&status, of: target, followingLinks: false) }
    } catch .missing {
      return target
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw .directory
    case S_IFLNK:
      let next = try destination(ofLink: target)
      return try Self.target(of: next.hasPrefix("/") ? next : Self.path(next, beside: target), links: links - 1)
    default: return target
    }
  }

  private static func realPath(of path: String) throws(FileError.Reason) -> String {
    guard let bytes = SystemPath.resolved(path) else { throw .system(errno) }
    guard let path = String(validating: bytes, as: UTF8.self) else { throw .system(EILSEQ) }
    return path
  }

  private static func destination(ofLink path: String) throws(FileError.Reason) -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = try FileError.check { unsafe readlink(path, &bytes, bytes.count) }
    guard let target = String(validating: bytes.prefix(count), as: UTF8.self) else { throw .system(EILSEQ) }
    return target
  }

  static func path(_ name: String, beside path: String) -> String {
    String(Substring(path.utf8.prefix(upTo: lastName(of: path).startIndex))) + name
  }

  static func name(of path: String) -> String { String(Substring(lastName(of: path))) }

  /// Returns the last name of a path, without the slashes after it.
  private static func lastName(of path: String) -> Substring.UTF8View {
    path.utf8.split(separator: UInt8(ascii: "/")).last ?? path[...].utf8
  }
}
