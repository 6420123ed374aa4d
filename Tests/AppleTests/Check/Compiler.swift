import Foundation
import TestSupport

/// Runs compilers, at most two at a time.
enum Compiler {
  private static let places = DispatchSemaphore(value: 2)

  /// Runs a compiler on a thread that may wait, and returns what it says.
  static func run(_ program: String, _ arguments: [String]) async throws -> String {
    try await onThread {
      places.wait()
      defer { places.signal() }
      let run = try ChildProcess.run(URL(filePath: "/usr/bin/env"), [program] + arguments)
      let messages = run.output + run.errors
      // A compiler that crashes says so, but not as an error of a file.
      return run.status == 0 || messages.contains("error:") ? messages : "error: status \(run.status)\n" + messages
    }
  }
}
