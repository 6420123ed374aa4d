import FlagJSON
import TestSupport
import Testing

@Suite("Paths in documents")
struct DocumentPathTests {
  @Test(
    "A path reads as people write it",
    arguments: [
      ([], "$"),
      ([.member("flags"), .member("a-b_c$1"), .element(0), .member("odd name")], #"$.flags.a-b_c$1[0]["odd name"]"#),
      ([.member(""), .member("a.b"), .member("\"\n")], #"$[""]["a.b"]["\"\n"]"#), ([.member("größe")], "$.größe"),
      ([.member(String(repeating: "x", count: 101))], "$.\(String(repeating: "x", count: 100))…"),
      (
        Array(repeating: .element(7), count: 65),
        "$\(String(repeating: "[7]", count: 48))…\(String(repeating: "[7]", count: 8))"
      ),
    ] as [([DocumentPath.Step], String)])
  func descriptions(steps: [DocumentPath.Step], description: String) {
    #expect(DocumentPath(steps).description == description)
    #expect(DocumentPath(steps).steps == steps && DocumentPath(steps).count == steps.count)
  }

  @Test("Names are compared by code points")
  func comparesCodePoints() {
    let (composed, decomposed) = (DocumentPath.root.appending("\u{e9}"), DocumentPath.root.appending("e\u{301}"))
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed, .root.appending("\u{e9}")]).count == 2)
    #expect(composed.appending(0) == .root.appending("\u{e9}").appending(0))
    #expect(composed.appending(0) != composed.appending("0"))
  }

  @Test("A path begins with those on its way")
  func prefixes() {
    let path = DocumentPath.root.appending("a").appending(1).appending("b")
    let prefixes: [DocumentPath] = [.root, .root.appending("a"), .root.appending("a").appending(1), path, path]
    #expect((0...4).map(path.prefix) == prefixes)
  }

  @Test("However long its names are, a path's text is short")
  func longNames() {
    let path = DocumentPath((0..<200).map { .member(String(repeating: "n", count: 1_000) + "\($0)") })
    #expect((1_000..<2_000).contains(path.description.utf8.count))
    #expect(path.description.contains("n….n"))
  }

  @Test("Paths as deep as documents may be are made, compared and released on a small stack")
  func deep() async throws {
    let isSame = try await SmallStack.run {
      let paths = (0..<2).map { _ in DocumentPath((0..<2_000).map { DocumentPath.Step.element($0) }) }
      return paths[0] == paths[1] && Set(paths).count == 1
    }
    #expect(isSame)
  }
}
