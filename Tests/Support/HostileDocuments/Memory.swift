import Foundation

/// The memory of the process; 0 if the system does not report it.
enum Memory {
  /// Returns the bytes that are in memory.
  static func resident() -> Int { kilobytes("VmRSS:") * 1024 }

  /// Returns the most bytes that were in memory since the peak was forgotten.
  static func peak() -> Int { kilobytes("VmHWM:") * 1024 }

  /// Takes what is in memory now for the peak.
  static func forgetPeak() {
    FileHandle(forWritingAtPath: "/proc/self/clear_refs")?.write(Data("5".utf8))
  }

  private static func kilobytes(_ name: String) -> Int {
    guard let data = FileManager.default.contents(atPath: "/proc/self/status") else { return 0 }
    let line = String(decoding: data, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0
  }
}
