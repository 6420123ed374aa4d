import Foundation

/// The open files of this process.
enum OpenFiles {
  /// The paths of the open descriptors, or what the system says instead of one.
  static var paths: [String] {
    get throws {
      #if os(Linux)
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { number in
          var path = [CChar](repeating: 0, count: Int(PATH_MAX))
          // Other tests close theirs meanwhile.
          return readlink("/proc/self/fd/\(number)", &path, path.count - 1) >= 0 ? text(path) : nil
        }
      #else
        (0..<1024).compactMap { number in
          var path = [CChar](repeating: 0, count: Int(PATH_MAX))
          return fcntl(number, F_GETPATH, &path) == 0 ? text(path) : nil
        }
      #endif
    }
  }

  private static func text(_ path: [CChar]) -> String {
    String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
