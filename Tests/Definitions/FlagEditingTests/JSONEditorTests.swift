import FlagDomain
import FlagEditing
import FlagJSON
import TestSupport
import Testing

@Suite("Editing JSON text")
struct JSONEditorTests {
  @Test(
    "An edit follows the layout around it, and everything else stays as it is written",
    arguments: [
      (#"{"a": 1, "b":2}"#, Edit { try $0.replace(["a"], with: "[3]") }, #"{"a": [3], "b":2}"#),
      (#"{"a": 1, "a": 2}"#, Edit { try $0.replace(["a"], with: "3") }, #"{"a": 1, "a": 3}"#),
      (#"[1,2]"#, Edit { try $0.insert("0", at: 0, in: []) }, "[0,1,2]"),
      (#"[1, 2]"#, Edit { try $0.insert("3", at: 2, in: []) }, "[1, 2, 3]"),
      (#"[]"#, Edit { try $0.insert("3", at: 0, in: []) }, "[3]"),
      (#"{"b":1}"#, Edit { try $0.setMember("c", "2", in: []) }, #"{"b":1,"c": 2}"#),
      (#"{"b": 1}"#, Edit { try $0.setMember("c", "2", in: []) }, #"{"b": 1, "c": 2}"#),
      ("{\n  \"b\": 1\n}", Edit { try $0.setMember("c", "2", in: []) }, "{\n  \"b\": 1,\n  \"c\": 2\n}"),
      (
        "{\n  \"b\": {\n    \"d\": 1\n  }\n}", Edit { try $0.setMember("e", "{\n  \"f\": 2\n}", in: ["b"]) },
        "{\n  \"b\": {\n    \"d\": 1,\n    \"e\": {\n      \"f\": 2\n    }\n  }\n}"
      ),
      (
        "{\n  \"b\": 1\n}", Edit { try $0.replace(["b"], with: "{\n  \"f\": 2\n}") },
        "{\n  \"b\": {\n    \"f\": 2\n  }\n}"
      ),
      (#"{"a": 1, "c": 3}"#, Edit { try $0.insertMember("b", "2", after: "a", in: []) }, #"{"a": 1, "b": 2, "c": 3}"#),
      (#"{"b": 2}"#, Edit { try $0.insertMember("a", "1", after: nil, in: []) }, #"{"a": 1, "b": 2}"#),
      (#"{"a": 1, "b" : 2}"#, Edit { try $0.remove(["a"]) }, #"{"b" : 2}"#),
      (#"{"a": 1 , "b" : 2}"#, Edit { try $0.remove(["b"]) }, #"{"a": 1}"#),
      ("{\n  \"b\": 1\n}", Edit { try $0.remove(["b"]) }, "{}"),
      (#"{"a": {"b": [1]}}"#, Edit { try $0.renameMember(["a"], to: "\"ü\"") }, #"{"\"ü\"": {"b": [1]}}"#),
      (#"{"\ud800": 1, "a": 2}"#, Edit { try $0.replace(["a"], with: "3") }, #"{"\ud800": 1, "a": 3}"#),
    ] as [(String, Edit, String)])
  func edits(text: String, edit: Edit, expected: String) throws {
    var editor = try JSONEditor(Array(text.utf8))
    try edit.apply(&editor)
    #expect(String(decoding: editor.text, as: UTF8.self) == expected)
  }

  @Test(
    "An edit of something that is not there is an error with its path, and changes nothing",
    arguments: [
      ("$.x", Edit { try $0.replace(["x"], with: "1") }), ("$.a[2]", Edit { try $0.insert("1", at: 2, in: ["a"]) }),
      ("$", Edit { try $0.remove([]) }), ("$.a.b", Edit { try $0.remove(["a", "b"]) }),
      ("$", Edit { try $0.insert("1", at: 0, in: []) }),
      ("$.a", Edit { try $0.setMember("b", "1", in: ["a"]) }),
      ("$.b", Edit { try $0.insertMember("b", "1", after: nil, in: []) }),
      ("$.z", Edit { try $0.insertMember("c", "1", after: "z", in: []) }),
      ("$.a", Edit { try $0.renameMember(["a"], to: "b") }),
      ("$.a[0]", Edit { try $0.renameMember(["a", 0], to: "b") }),
    ] as [(String, Edit)])
  func refuses(place: String, edit: Edit) throws {
    let text = #"{"a": [1], "b": 2}"#
    var editor = try JSONEditor(Array(text.utf8))
    #expect { try edit.apply(&editor) } throws: { ($0 as? FlagError)?.message.hasPrefix("\(place): expected") == true }
    #expect(String(decoding: editor.text, as: UTF8.self) == text)
  }

  @Test("Random edits do to a text what they do to its value, and inserting and removing again changes no byte")
  func agrees() throws {
    var generator = SeededGenerator(seed: 30)
    for _ in 0..<2_000 {
      let value = FlagValue.random(levels: 4, using: &generator)
      let layout: JSONLayout = Bool.random(using: &generator) ? .compact : .indented
      let text = try value.json(layout)
      var editor = try JSONEditor(text)
      for path in value.containers.shuffled(using: &generator).prefix(5) {
        if let index = value[path].elements?.count {
          let place = Int.random(in: 0...index, using: &generator)
          try editor.insert(#"{"new": [1, 2]}"#, at: place, in: DocumentPath(path))
          #expect(try FlagValue(json: editor.text)[path].elements?[place] == ["new": [1, 2]])
          try editor.remove(DocumentPath(path).appending(place))
        } else {
          try editor.setMember("new member", "null", in: DocumentPath(path))
          #expect(try FlagValue(json: editor.text)[path].fields?["new member"] == .null)
          try editor.remove(DocumentPath(path).appending("new member"))
        }
        #expect(editor.text == text)
      }
      for path in value.containers {
        let source = try #require(editor.source(of: DocumentPath(path)))
        #expect(try FlagValue(json: source.utf8) == value[path])
        try editor.replace(DocumentPath(path), with: source.withoutMargin)
      }
      #expect(try FlagValue(json: editor.text) == value)
    }
  }
}

struct Edit: Sendable {
  let apply: @Sendable (inout JSONEditor) throws -> Void

  init(_ apply: @escaping @Sendable (inout JSONEditor) throws -> Void) { self.apply = apply }
}

extension DocumentPath: ExpressibleByArrayLiteral {
  init(arrayLiteral steps: DocumentPath.Step...) { self.init(steps) }
}

extension DocumentPath.Step: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  init(stringLiteral name: String) { self = .member(name) }
  init(integerLiteral index: Int) { self = .element(index) }
}

extension String {
  fileprivate var withoutMargin: String { split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n") }
}

extension FlagValue {
  /// The paths of all arrays and objects.
  fileprivate var containers: [[DocumentPath.Step]] {
    switch self {
    case .array(let elements):
      [[]] + elements.enumerated().flatMap { index, element in element.containers.map { [.element(index)] + $0 } }
    case .object(let members):
      [[]] + members.sorted { $0.key < $1.key }.flatMap { name, value in value.containers.map { [.member(name)] + $0 } }
    case .null, .bool, .int, .double, .string: []
    }
  }

  fileprivate subscript(path: [DocumentPath.Step]) -> FlagValue {
    path.reduce(self) { value, step in
      switch step {
      case .member(let name): value.fields?[name] ?? .null
      case .element(let index): value.elements?[index] ?? .null
      }
    }
  }
}
