import FlagHTTP
import FlagSupport

/// The version of this package.
package enum PackageVersion {
  package static let text = "1.0.0"
}

/// Figures of this process, for metrics; nil for one that the system does not have.
struct ProcessFigures {
  /// When the server began, in seconds since 1970.
  let startedAt: Int64
  /// The time that its threads have run, in seconds.
  var processorTime: Double?
  /// The memory that it has, in bytes.
  var memory: Int?
  var descriptors: Int?

  static func current(startedAt: Int64) -> ProcessFigures {
    var figures = ProcessFigures(startedAt: startedAt)
    var time = timespec()
    if unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 {
      figures.processorTime = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    #if os(Linux) || os(Android)
      // The second number is that of the pages in memory.
      let pages = contents(of: "/proc/self/statm").split(separator: " ").dropFirst().first.flatMap { Int($0) }
      figures.memory = pages.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
      figures.descriptors = entries(of: "/proc/self/fd")
    #endif
    return figures
  }

  #if os(Linux) || os(Android)
    /// Returns the beginning of a small file; empty if it cannot be read.
    private static func contents(of path: String) -> String {
      let number = SystemPath.descriptor(of: path, O_RDONLY)
      guard number >= 0 else { return "" }
      defer { close(number) }
      var bytes = [UInt8](repeating: 0, count: 256)
      let count = unsafe read(number, &bytes, bytes.count)
      return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Returns the number of entries of a folder, without its own and the one that reading it takes.
    private static func entries(of path: String) -> Int? {
      SystemPath.names(in: path).map { max(0, $0.count - 3) }
    }
  #endif
}

extension HTTPDate {
  /// The system's date.
  static var now: HTTPDate { HTTPDate(secondsSince1970: Int64(time(nil))) }
}
