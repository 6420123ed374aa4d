import Foundation
import TestSupport
import Testing

@Suite("Programs that tests start", .timeLimit(.minutes(15)))
struct ChildProcessTests {
  @Test("A program that does not end is killed, and what it has started with it")
  func endsPrograms() async throws {
    let status = try await onThread {
      let pipe = ChildProcess.pipe()
      let shell = URL(filePath: "/bin/sh")
      let process = try ChildProcess(
        shell, ["-c", "sleep 3600 & wait"], output: pipe.fileHandleForWriting.fileDescriptor, killedAfter: 0.2)
      try pipe.fileHandleForWriting.close()
      // The end comes when nobody holds the pipe any more: neither the shell nor its sleep.
      _ = try pipe.fileHandleForReading.readToEnd()
      return process.wait()
    }
    #expect(status == SIGKILL)
  }
}
