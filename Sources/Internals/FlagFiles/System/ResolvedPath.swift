import Foundation

/// The steps of a path from the root to a file, in which each link is a step of its own.
///
/// It contains every name that decides which file a path leads to: if one of them changes, so may the file.
struct ResolvedPath: Equatable {
  /// A name to look up in a directory, whose path has no links.
  struct Step: Hashable {
    let directory: String
    let name: String

    var path: String { directory == "/" ? "/\(name)" : "\(directory)/\(name)" }
  }

  /// The kind of a directory's entry.
  enum Entry: Equatable {
    case directory
    case link(to: String)
    /// Any entry that is neither a directory nor a link.
    case file
    case failure(FileError.Reason)
  }

  /// The target of a path.
  enum End: Equatable {
    case directory
    case file
    /// Only the last name is missing: a file can be created there.
    case absent
    case failure(FileError.Reason)
  }

  private(set) var steps: [Step] = []
  private(set) var end = End.directory

  /// The path of the file without links, if the end is a file or absent.
  var path: String { steps.last?.path ?? "/" }

  /// The maximum number of links in one path, as in Linux.
  static let maximumLinks = 40
}

extension ResolvedPath {
  /// Resolves a path from the root, even a relative one.
  ///
  /// The closure returns the entry of a name; it is called once for each step, in order.
  init<Failure: Error>(of path: String, entry: (Step) throws(Failure) -> Entry) throws(Failure) {
    end = try follow(path, entry)
  }

  private mutating func follow<Failure: Error>(
    _ path: String, _ entry: (Step) throws(Failure) -> Entry
  ) throws(Failure) -> End {
    var rest = Array(Self.names(in: path).reversed())
    var directory: [String] = []
    var links = 0
    while let name = rest.popLast() {
      if name == ".." {
        _ = directory.popLast()
        continue
      }
      let step = Step(directory: "/" + directory.joined(separator: "/"), name: name)
      steps.append(step)
      switch try entry(step) {
      case .directory: directory.append(name)
      case .link(let target):
        links += 1
        if links > Self.maximumLinks { return .failure(.system(ELOOP)) }
        if target.utf8.first == UInt8(ascii: "/") { directory = [] }
        rest += Self.names(in: target).reversed()
      case .file: return rest.isEmpty ? .file : .failure(.system(ENOTDIR))
      case .failure(.missing) where rest.isEmpty: return .absent
      case .failure(let error): return .failure(error)
      }
    }
    return .directory
  }

  /// Returns the names of a path; a slash counts even if a combining character follows it.
  private static func names(in path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }.filter { $0 != "." }
  }
}

extension ResolvedPath.Step {
  /// Returns the entry of the name in the file system.
  func entry() -> ResolvedPath.Entry {
    if path.utf8.contains(0) { return .failure(.system(EINVAL)) }
    do throws(FileError.Reason) {
      var status = stat()
      try FileError.check { lstat(path, &status) }
      return switch status.st_mode & S_IFMT {
      case S_IFDIR: .directory
      case S_IFLNK: .link(to: try target())
      default: .file
      }
    } catch {
      return .failure(error)
    }
  }

  private func target() throws(FileError.Reason) -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = try FileError.check { readlink(path, &bytes, bytes.count) }
    let target = String(validating: bytes.prefix(count), as: UTF8.self)
    guard let target else { throw .system(EILSEQ) }
    return target
  }
}
