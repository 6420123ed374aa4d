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

  @Test("Characters that nobody sees are escaped for people, and in JSON by its own escapes")
  func escapesHidden() {
    let key = "admin\u{202e}nimda"
    let flag = #"{"state": "ENABLED", "variants": {"v": "x\#u{200b}y"}, "defaultVariant": "v"}"#
    let files = ["f": #"{"flags": {"\#(key)": \#(flag)}}"#, "g": #"{"flags": {"\#(key)": {}}}"#]
    let context = #"{"targetingKey": "u\#u{feff}"}"#
    for words in [
      ["validate", "f"], ["validate", "g"], ["diff", "f", "g"], ["diff", "f", "g", "--json"],
      ["explain", "--flags", "f", "--user", context, key], ["explain", "--flags", "f", "no\u{202e}ne"],
      ["explain", "--flags", "f", "--user", context, key, "--json"],
    ] {
      let run = Transcript(words, files: files)
      let text = run.output + run.errors
      #expect(!text.isEmpty && !text.unicodeScalars.contains { $0.properties.generalCategory == .format }, "\(words)")
    }
    let validated = Transcript(["validate", "f"], files: files)
    let text = validated.output + validated.errors
    #expect(text.contains(#"admin\u{202E}nimda"#) || text.contains(#"admin\u202Enimda"#))
    #expect(text.contains("the key contains U+202E (RIGHT-TO-LEFT OVERRIDE), which nobody sees"))
  }

  @Test("No text of a document begins a line of its own, or controls the terminal")
  func keepsLines() async throws {
    let hidden = #"\n\tFORGED\u001b[2J\r"#
    let flag = #"""
      {"state": "ENABLED", "variants": {"a\#(hidden)": "x\#(hidden)", "b": "y"}, "defaultVariant": "b",
        "metadata": {"owner": "o\#(hidden)", "expires": "2000-01-01"},
        "targeting": {"if": [{"==": [{"var": "p\#(hidden)"}, "q\#(hidden)"]}, "b", "a\#(hidden)"]}}
      """#
    let text = #"{"flags": {"k": \#(flag)}}"#
    let tool = try ToolFolder()
    try tool.write("f.json", text)
    var outputs: [String] = []
    for words in [["list"], ["variants", "k"], ["get", "k"], ["explain", "k"]] {
      outputs.append(try await tool.run(words).output)
    }
    outputs += [["check", "f"], ["diff", "f", "g"], ["diff", "g", "f"], ["validate", "f"]].map { words in
      let run = Transcript(words, files: ["f": text, "g": #"{"flags": {}}"#])
      return run.output + run.errors
    }
    for output in outputs {
      #expect(!output.isEmpty && !output.contains("\nFORGED") && !output.contains("\n\t"), "\(output)")
      let controls = output.unicodeScalars.filter { $0.properties.generalCategory == .control }
      #expect(controls.allSatisfy { $0 == "\n" }, "\(output)")
    }
    let table = outputs[0].split(separator: "\n")
    #expect(table.count == 2 && table[1].contains(#"x\u{A}\u{9}FORGED\u{1B}[2J\u{D}  document"#), "\(table)")
  }

  @Test(
    "Output that cannot be written ends every command with code 74",
    arguments: [
      ["--help"], ["validate", "f"], ["evaluate", "--flags", "f"], ["explain", "--flags", "f", "a"], ["check", "f"],
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
