import Foundation
import Synchronization
import Testing

@testable import FlagCLI

@Suite("Input without end, output that fails")
struct TerminalTests {
  @Test("A line without end is given up once it is longer than lines may be, and those before it are answered")
  func endlessLine() {
    let pieces = Mutex(0)
    let output = Mutex((text: "", errors: ""))
    let terminal = Terminal(
      file: { _ in Data(#"{"flags": {}}"#.utf8) },
      open: { _ in
        {
          let number = pieces.withLock { count in
            count += 1
            return count
          }
          // More than the limit, and yet an end, so that a reader without a limit fails instead of running for ever.
          guard number < 1_000 else { return nil }
          return number == 1 ? Data("{\"flagKey\": \"f\", \"type\": \"string\"}\n".utf8) : Data(count: 1 << 16)
        }
      },
      write: { text in output.withLock { $0.text += text } },
      writeError: { text in output.withLock { $0.errors += text } }, now: { 0 })
    #expect(FlagTool(terminal: terminal).run(["evaluate", "--flags", "f"]) == 1)
    #expect(output.withLock { $0.text }.hasPrefix(#"{"value":null,"variant":null,"reason":"ERROR","#))
    #expect(
      output.withLock { $0.errors }
        == "flagctl: line 2: more than 4194304 bytes; neither it nor what follows was evaluated\n")
    #expect(pieces.withLock { $0 } == 2 + LineReader.maximumLength >> 16)
  }

  @Test("A line as long as lines may be is read, and one more byte is too long", arguments: [0, 1])
  func longestLine(extra: Int) throws {
    var reader = LineReader()
    reader.append(Data(count: LineReader.maximumLength + extra) + Data("\n".utf8))
    if extra == 0 {
      #expect(try reader.nextLine()?.count == LineReader.maximumLength)
    } else {
      #expect(throws: LineTooLong.self) { try reader.nextLine() }
    }
  }

  @Test("Lines are cut in the same way whatever the pieces are", arguments: 1...5)
  func pieces(size: Int) throws {
    let text = Array("a\n\nbcd\ne".utf8)
    var reader = LineReader()
    var lines: [String] = []
    for start in stride(from: 0, to: text.count, by: size) {
      reader.append(Data(text[start..<min(start + size, text.count)]))
      while let line = try reader.nextLine() { lines.append(String(decoding: line, as: UTF8.self)) }
    }
    if let line = reader.lastLine() { lines.append(String(decoding: line, as: UTF8.self)) }
    #expect(lines == ["a", "", "bcd", "e"] && reader.lastLine() == nil)
  }

  @Test(
    "Output that cannot be written ends every command with code 74",
    arguments: [
      ["--help"], ["validate", "f"], ["evaluate", "--flags", "f"], ["explain", "--flags", "f", "a"], ["expired", "f"],
    ])
  func outputFails(words: [String]) {
    let errors = Mutex("")
    let flag = #"{"state": "ENABLED", "variants": {"v": 1}, "metadata": {"expires": "2000-01-01"}}"#
    let terminal = Terminal(
      file: { _ in Data(#"{"flags": {"a": \#(flag)}}"#.utf8) },
      open: { _ in
        var pieces = [Data("{}\n".utf8)].makeIterator()
        return { pieces.next() }
      },
      write: { _ in throw Full() }, writeError: { text in errors.withLock { $0 += text } }, now: { 1_800_000_000 })
    #expect(FlagTool(terminal: terminal).run(words) == 74)
    #expect(errors.withLock { $0 }.hasSuffix("flagctl: standard output: cannot be written: the disk is full\n"))
  }

  private struct Full: LocalizedError {
    let errorDescription: String? = "the disk is full"
  }
}
