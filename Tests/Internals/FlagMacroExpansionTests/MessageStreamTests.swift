import Foundation
import Testing

@testable import FlagMacroExpansion

@Suite("Messages")
struct MessageStreamTests {
  @Test("A message is eight bytes of length and that much JSON")
  func frames() throws {
    let pipe = Pipe()
    let stream = MessageStream(input: pipe.fileHandleForReading, output: pipe.fileHandleForWriting)
    try stream.send(["é"])
    #expect(try pipe.fileHandleForReading.read(upToCount: 14) == Data([6, 0, 0, 0, 0, 0, 0, 0]) + Data("[\"é\"]".utf8))
  }

  @Test("Messages arrive one by one, and then nil")
  func receives() throws {
    let pipe = Pipe()
    let stream = MessageStream(input: pipe.fileHandleForReading, output: pipe.fileHandleForWriting)
    try stream.send([1])
    try stream.send([2, 3])
    try pipe.fileHandleForWriting.close()
    #expect(try [stream.receive([Int].self), stream.receive(), stream.receive()] == [[1], [2, 3], nil])
  }

  @Test(
    "Nothing, a length of zero, and a message that breaks off end the conversation",
    arguments: [[], [0, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0], [5, 0, 0, 0, 0, 0, 0, 0, 0x5B]])
  func ends(bytes: [UInt8]) throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
    try pipe.fileHandleForWriting.close()
    let stream = MessageStream(input: pipe.fileHandleForReading, output: pipe.fileHandleForWriting)
    #expect(try stream.receive([Int].self) == nil)
  }

  @Test("The plugin says what it can do, and answers what it does not know with nothing")
  func answers() throws {
    #expect(
      try answer(#"{"getCapability":{"capability":{"protocolVersion":7}}}"#)
        == #"{"getCapabilityResult":{"capability":{"features":[],"protocolVersion":7}}}"#)
    #expect(
      try answer(#"{"expandFreestandingMacro":{"macro":{"moduleName":"M","typeName":"T","name":"t"}}}"#)
        == #"{"expandMacroResult":{"diagnostics":[]}}"#)
  }

  @Test("An expansion is answered with its text and its diagnostics, placed in the file")
  func expands() throws {
    let question = #"""
      {"expandAttachedMacro":{"macro":{"moduleName":"FlagMacrosPlugin","typeName":"FlagMacro","name":"Flag "},
      "macroRole":"accessor","discriminator":"d","lexicalContext":[],
      "attributeSyntax":{"kind":"attribute","source":"@Flag","location":{"fileID":"a","fileName":"a","offset":9,"line":1,"column":1}},
      "declSyntax":{"kind":"declaration","source":" @Flag var x = 1","location":{"fileID":"a","fileName":"a","offset":9,"line":1,"column":1}}}}
      """#
    #expect(
      try answer(question) == #"""
        {"expandMacroResult":{"diagnostics":[{"fixIts":[],"highlights":[{"endOffset":15,"fileName":"a","startOffset":10}],\#
        "message":"@Flag is in a struct that has the attribute @FlagSet","notes":[],\#
        "position":{"fileName":"a","offset":10},"severity":"error"}],"expandedSource":"get { fatalError() }"}}
        """#)
  }

  private func answer(_ question: String) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let question = try JSONDecoder().decode(Question.self, from: Data(question.utf8))
    return String(decoding: try encoder.encode(CompilerDialog.answer(to: question)), as: UTF8.self)
  }
}
