#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The version of this package.
package enum PackageVersion {
  package static let text = "1.0.0"
}

/// Figures of this process, for metrics; nil for one that the system does not have.
struct ProcessFigures {
  /// The time that its threads have run, in seconds.
  var processorTime: Double?
  /// The memory that it has, in bytes.
  var memory: Int?
  var descriptors: Int?

  static var current: ProcessFigures {
    var figures = ProcessFigures()
    var time = timespec()
    if clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 {
      figures.processorTime = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    #if os(Linux)
      // The second number is that of the pages in memory.
      let pages = contents(of: "/proc/self/statm").split(separator: " ").dropFirst().first.flatMap { Int($0) }
      figures.memory = pages.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
      figures.descriptors = entries(of: "/proc/self/fd")
    #endif
    return figures
  }

  /// Returns the figures under the names that Prometheus' own libraries use.
  func text(startedAt: Int64) -> String {
    var text = PrometheusText()
    text.begin("flags_build_info", .gauge, "The version of the server.")
    text.add(["version": PackageVersion.text], 1)
    text.begin("process_start_time_seconds", .gauge, "When the server began, in seconds since 1970.")
    text.add([:], startedAt)
    if let processorTime {
      text.begin("process_cpu_seconds_total", .counter, "The time that the process has run, in seconds.")
      text.add([:], processorTime)
    }
    if let memory {
      text.begin("process_resident_memory_bytes", .gauge, "The memory of the process.")
      text.add([:], memory)
    }
    if let descriptors {
      text.begin("process_open_fds", .gauge, "The file descriptors of the process.")
      text.add([:], descriptors)
    }
    return text.text
  }

  #if os(Linux)
    /// Returns the beginning of a small file; empty if it cannot be read.
    private static func contents(of path: String) -> String {
      let number = open(path, O_RDONLY | O_CLOEXEC)
      guard number >= 0 else { return "" }
      defer { close(number) }
      var bytes = [UInt8](repeating: 0, count: 256)
      let count = read(number, &bytes, bytes.count)
      return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Returns the number of entries of a folder, without its own and the one that reading it takes.
    private static func entries(of path: String) -> Int? {
      guard let folder = opendir(path) else { return nil }
      defer { closedir(folder) }
      var count = 0
      while readdir(folder) != nil { count += 1 }
      return max(0, count - 3)
    }
  #endif
}
