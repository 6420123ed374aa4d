import Foundation

/// The open files of this process.
enum OpenFiles {
  /// The paths of the open descriptors, or what the system says instead of one.
  static var paths: [String] {
    get throws {
      #if os(Linux)
        try descriptors.map(\.path)
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

#if os(Linux)
  extension OpenFiles {
    /// The numbers of the descriptors that are inotify instances.
    static var inotifyInstances: [String] {
      get throws { try descriptors.filter { $0.path.hasSuffix("inotify") }.map(\.number) }
    }

    /// Returns how many watches there are of the file with a number.
    static func watches(of file: ino_t) throws -> Int {
      try inotifyInstances.reduce(0) { count, number in
        let lines = try String(contentsOfFile: "/proc/self/fdinfo/\(number)", encoding: .utf8).split(separator: "\n")
        return count + lines.count { $0.contains(" ino:\(String(file, radix: 16)) ") }
      }
    }

    private static var descriptors: [(number: String, path: String)] {
      get throws {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { number in
          var path = [CChar](repeating: 0, count: Int(PATH_MAX))
          // Other tests close theirs meanwhile.
          guard readlink("/proc/self/fd/\(number)", &path, path.count - 1) >= 0 else { return nil }
          return (number, text(path))
        }
      }
    }
  }
#endif
