import FlagFoundation
import FlagSupport
import TestSupport
import Testing

@Suite("Errors in words")
struct WordsTests {
  @Test("An error of the system is told in the system's words, and one of ours in its own")
  func usesWords() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: (any Error).self) { try Data(contentsOf: folder.url.appending(path: "missing")) }
    #if canImport(FoundationEssentials)
      #expect(error?.words == "No such file or directory")
      #expect(POSIXError(.EACCES).words == "Permission denied")
    #else
      #expect(error?.words == error?.localizedDescription)
    #endif
    #expect(SystemError(code: ENOSPC).words == "No space left on device")
    #expect(Told().words == "it is full")
  }

  private struct Told: LocalizedError {
    var errorDescription: String? { "it is full" }
  }
}
