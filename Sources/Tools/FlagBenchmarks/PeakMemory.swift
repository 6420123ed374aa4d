import FlagDefinitions
import Foundation

/// The peak memory of loading a document, measured in a process of its own.
///
/// The peak of a process never falls. So a process without any other work loads the document, which another process has
/// made.
struct PeakMemory {
  /// The size of the document in bytes.
  let fileSize: Int
  /// The growth of the process in bytes, including the document itself.
  let growth: Int

  /// The growth of the process per byte of the document.
  var ratio: Double { Double(growth) / Double(fileSize) }

  /// The maximum growth per byte for a document of ten thousand flags with different rules.
  static let limit = 4.0
}

extension PeakMemory {
  /// Loads a document in this process.
  init(loading path: String) throws {
    _ = try FlagDocument(parsing: Data(#"{"flags": {"a": {"state": "DISABLED", "variants": {"a": 1}}}}"#.utf8))
    let before = try Self.peak
    let document = try FlagDocument(parsing: Data(contentsOf: URL(filePath: path)))
    growth = try Self.peak - before
    fileSize = try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe).count
    blackHole(document)
  }

  #if os(macOS) || os(Linux)
    /// Loads a document in a process of its own.
    init(loadingElsewhere document: Data) throws {
      let file = FileManager.default.temporaryDirectory.appending(path: "load-\(UUID().uuidString).json")
      try document.write(to: file)
      let process = Process()
      let output = Pipe()
      process.executableURL = Bundle.main.executableURL
      process.arguments = ["--load", file.path]
      process.standardOutput = output
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      try FileManager.default.removeItem(at: file)
      let numbers = text.split(separator: " ").compactMap { Int($0) }
      guard process.terminationStatus == 0, numbers.count == 2 else {
        throw UsageError(message: "expected two numbers of bytes from --load, found \(text)")
      }
      (growth, fileSize) = (numbers[0], numbers[1])
    }
  #else
    /// Fails: only computers allow a program to start another one.
    init(loadingElsewhere document: Data) throws {
      throw UsageError(message: "expected a system on which programs start others, to measure memory, found none")
    }
  #endif

  /// The peak memory of this process in bytes.
  ///
  /// Linux provides it in `/proc`, for this program alone; there, the value of `getrusage` starts with the memory of
  /// the parent.
  private static var peak: Int {
    get throws {
      #if os(Linux)
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        guard let kilobytes = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) }) else {
          throw UsageError(message: "expected VmHWM in /proc/self/status, found none")
        }
        return kilobytes * 1024
      #else
        var usage = rusage()
        getrusage(RUSAGE_SELF, &usage)
        return usage.ru_maxrss
      #endif
    }
  }
}
