import FlagDefinitions
import Foundation

/// The peak memory of loading a file, measured in a process of its own.
///
/// The peak of a process never falls. So a process without any other work loads the file, which another process has
/// made.
struct PeakMemory {
  /// The kinds of files, each with its maximum growth.
  enum Kind: String, CaseIterable {
    /// A document of definitions, which is read.
    case definitions = "load.10k-different"
    /// A bulk answer of OFREP, which is received, parsed and cached.
    case answers = "ofrep.11k-answers"

    /// The maximum growth of the process per byte of the file, including the file's own text.
    var limit: Double {
      switch self {
      case .definitions: 4
      case .answers: 3
      }
    }

    /// The file that is loaded.
    var file: Data {
      switch self {
      case .definitions: EvaluateFixture.differentDocument
      case .answers: BulkAnswer.text
      }
    }
  }

  let kind: Kind
  /// The size of the file in bytes.
  let fileSize: Int
  /// The growth of the process in bytes, including the file's text.
  let growth: Int

  /// The growth of the process per byte of the file.
  var ratio: Double { Double(growth) / Double(fileSize) }

  /// The message if the growth exceeds its limit.
  var miss: String? {
    ratio > kind.limit ? "\(kind.rawValue): expected at most \(kind.limit) bytes a byte, found \(ratio)" : nil
  }
}

extension PeakMemory {
  /// Loads a file in this process.
  init(loading path: String, as kind: Kind) async throws {
    self.kind = kind
    switch kind {
    case .definitions:
      _ = try FlagDocument(parsing: Data(#"{"flags": {"a": {"state": "DISABLED", "variants": {"a": 1}}}}"#.utf8))
      let before = try Self.peak
      let document = try FlagDocument(parsing: Data(contentsOf: URL(filePath: path)))
      growth = try Self.peak - before
      blackHole(document)
    case .answers:
      let folder = FileManager.default.temporaryDirectory.appending(path: "load-\(UUID().uuidString)")
      let small = try await BulkAnswer.load(from: nil, cachingIn: folder)
      let before = try Self.peak
      let provider = try await BulkAnswer.load(from: path, cachingIn: folder)
      growth = try Self.peak - before
      blackHole((small, provider))
      try FileManager.default.removeItem(at: folder)
    }
    fileSize = try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe).count
  }

  #if os(macOS) || os(Linux)
    /// Loads a file in a process of its own.
    init(loadingElsewhere kind: Kind) throws {
      let file = FileManager.default.temporaryDirectory.appending(path: "load-\(UUID().uuidString).json")
      try kind.file.write(to: file)
      let process = Process()
      let output = Pipe()
      process.executableURL = Bundle.main.executableURL
      process.arguments = ["--load", file.path, kind.rawValue]
      process.standardOutput = output
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      try FileManager.default.removeItem(at: file)
      let numbers = text.split(separator: " ").compactMap { Int($0) }
      guard process.terminationStatus == 0, numbers.count == 2 else {
        throw UsageError(message: "expected two numbers of bytes from --load, found \(text)")
      }
      self.kind = kind
      (growth, fileSize) = (numbers[0], numbers[1])
    }
  #else
    /// Fails: only computers allow a program to start another one.
    init(loadingElsewhere kind: Kind) throws {
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
        unsafe getrusage(RUSAGE_SELF, &usage)
        return usage.ru_maxrss
      #endif
    }
  }
}
