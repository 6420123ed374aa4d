import FlagDomain
import FlagJSON
import Testing

@Suite("Reading JSON text part by part")
struct JSONCursorTests {
  @Test("Members and elements come in the order of the text, and those not asked for are passed over")
  func walks() throws {
    let text = #" { "a" : 1, "skip": [{"x": [1, 2]}], "b" : [ true , {"c": 2}, [3] ] , "d": {} } "#
    let events = try JSONReader.read(text) { reader throws(JSONError) in
      var events: [String] = []
      try reader.enterObject()
      while let name = try reader.nextMember() {
        events.append(
          "\(name) at \(reader.nameOffset ?? -1), \(reader.path) at \(reader.offset): \(reader.kind?.rawValue ?? "none")"
        )
        guard name == "b" else { continue }
        try reader.enterArray()
        while try reader.nextElement() { events.append("\(reader.path): \(try reader.readValue())") }
      }
      try reader.finish()
      return events
    }
    #expect(
      events == [
        "a at 3, $.a at 9: number", "skip at 12, $.skip at 20: array", "b at 37, $.b at 43: array", "$.b[0]: true",
        #"$.b[1]: {"c":2}"#, "$.b[2]: [3]", "d at 70, $.d at 75: object",
      ])
  }

  @Test("The outline of a document of flags takes one pass over it")
  func outlines() throws {
    let text = #"{"metadata": {"v": 1}, "flags": {"a": {"state": "ENABLED"}, "b": 2}, "$evaluators": {}}"#
    let flags = try JSONReader.read(text) { reader throws(JSONError) in
      var flags: [String: Substring.UTF8View] = [:]
      try reader.enterObject()
      while let name = try reader.nextMember() {
        guard name == "flags" else { continue }
        try reader.enterObject()
        while let key = try reader.nextMember() {
          let range = try reader.skipValue()
          flags[key] = text.utf8.dropFirst(range.lowerBound).prefix(range.count)
        }
      }
      try reader.finish()
      return flags.mapValues { String(Substring($0)) }
    }
    #expect(flags == ["a": #"{"state": "ENABLED"}"#, "b": "2"])
  }

  @Test("What is of another kind is left to be read")
  func kinds() throws {
    try JSONReader.read(#"{"a": [1], "b": {}}"#) { reader throws(JSONError) in
      let atRoot = JSONError.thrown { () throws(JSONError) in try reader.enterArray() }
      #expect(atRoot.map { "\($0.path): \($0)" } == "$: expected an array, found an object")
      try reader.enterObject()
      _ = try reader.nextMember()
      let inside = JSONError.thrown { () throws(JSONError) in try reader.enterObject() }
      #expect(inside.map { "\($0.code) \($0.path): \($0)" } == "kind $.a: expected an object, found an array")
      #expect(try reader.readValue() == [1])
      #expect(reader.kind == nil)
      #expect(try reader.nextMember() == "b")
    }
  }

  @Test("A part can be passed over first and read later")
  func marks() throws {
    try JSONReader.read(#"{"flags": {"a": 1, "b": [2]}, "rules": {"r": 3}}"#) { reader throws(JSONError) in
      try reader.enterObject()
      _ = try reader.nextMember()
      let flags = reader.mark
      try reader.skipValue()
      #expect(try reader.nextMember() == "rules")
      #expect(try reader.readValue() == ["r": 3])
      #expect(try reader.nextMember() == nil)
      try reader.finish()
      reader.reset(to: flags)
      #expect("\(reader.path)" == "$.flags")
      #expect(try reader.readValue() == ["a": 1, "b": [2]])
    }
  }

  @Test("A name that cannot be held does not keep its value from being passed over")
  func names() throws {
    try JSONReader.read(#"{"\ud800": {"a": 1}, "b": 2}"#) { reader throws(JSONError) in
      try reader.enterObject()
      let error = JSONError.thrown { () throws(JSONError) in _ = try reader.nextMember() }
      #expect(error?.code == .range)
      #expect(try reader.nextMember() == "b")
      #expect(try reader.readValue() == 2)
    }
  }

  @Test("After a mistake of the text, everything fails as it did")
  func staysBroken() {
    JSONReader.read(#"{"a": [1 2], "b": 3}"#) { reader in
      let errors = [
        JSONError.thrown { () throws(JSONError) in try reader.enterObject() },
        JSONError.thrown { () throws(JSONError) in _ = try reader.nextMember() },
        JSONError.thrown { () throws(JSONError) in _ = try reader.readValue() },
        JSONError.thrown { () throws(JSONError) in _ = try reader.nextMember() },
        JSONError.thrown { () throws(JSONError) in _ = try reader.nextElement() },
        JSONError.thrown { () throws(JSONError) in _ = try reader.skipValue() },
        JSONError.thrown { () throws(JSONError) in try reader.enterArray() },
        JSONError.thrown { () throws(JSONError) in try reader.finish() },
      ]
      #expect(errors.map { $0?.offset } == [nil, nil, 9, 9, 9, 9, 9, 9])
    }
  }

  @Test("Going in deeper than a value may be is an error, and passes the value over")
  func depth() throws {
    try JSONReader.read(#"[[1], [[2]], 3]"#, depth: 1) { reader throws(JSONError) in
      try reader.enterArray()
      _ = try reader.nextElement()
      #expect(try reader.readValue() == [1])
      _ = try reader.nextElement()
      #expect(JSONError.thrown { () throws(JSONError) in try reader.enterArray() }?.code == .range)
      #expect(try reader.nextElement())
      #expect(try reader.readValue() == 3)
    }
  }

  @Test("Passing over goes as deep as the text does, and asks for no more than JSON")
  func skips() throws {
    let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    let text = #"{"a": \#(deep), "b": [1e400, "\ud800"], "c": 1}"#
    try JSONReader.read(text) { reader throws(JSONError) in
      #expect(try reader.skipValue() == 0..<text.utf8.count)
      try reader.finish()
    }
  }

  @Test("Of members with one name the last one counts, and the others are reported")
  func duplicates() throws {
    let text = #"{"a": 1, "b": [{"x": 1, "x": {"y": 2}, "\u0078": 3}], "a": 4}"#
    try JSONReader.read(text) { reader throws(JSONError) in
      #expect(try reader.readValue() == ["a": 4, "b": [["x": 3]]])
      let received = reader.duplicates.map { "\($0.path) at \($0.offset), \($0.isSameName)" }
      #expect(received == ["$.a at 1, true", "$.b[0].x at 16, true", "$.b[0].x at 24, true"])
    }
  }

  @Test("Names that Swift takes for equal are told apart by their code points", arguments: [true, false])
  func equivalentNames(isComposedLast: Bool) throws {
    let names = isComposedLast ? ["e\u{301}", "\u{e9}"] : ["\u{e9}", "e\u{301}"]
    try JSONReader.read(#"{"\#(names[0])": 1, "\#(names[1])": 2}"#) { reader throws(JSONError) in
      #expect(try reader.readValue().isIdentical(to: .object([names[1]: 2])))
      let duplicate = reader.duplicates.first
      #expect(duplicate?.path == .root.appending(names[0]) && duplicate?.isSameName == false)
      #expect(duplicate?.countedName.utf8.elementsEqual(names[1].utf8) == true)
    }
  }

  @Test("No more duplicates are kept than were asked for")
  func boundedDuplicates() throws {
    let text = "{\(repeatElement(#""a": 1"#, count: 500).joined(separator: ", "))}"
    let counts = try [nil, 0, 1_000].map { maximum in
      try JSONReader.read(text) { reader throws(JSONError) in
        if let maximum { reader.maximumDuplicates = maximum }
        _ = try reader.readValue()
        return reader.duplicates.count
      }
    }
    #expect(counts == [100, 0, 499])
  }
}
