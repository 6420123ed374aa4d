import FlagDomain
import Testing

@testable import FlagGrowthBook

@Suite("Experiments on pages")
struct PageTests {
  @Test(
    "Simple targets compare the parts of an address, with stars for any text",
    arguments: [
      ("https://example.com/a", "https://example.com/a", true),
      ("https://example.com/a", "https://example.com/a/", true),
      ("https://example.com/a", "http://example.com/a", true),
      ("https://example.com/a", "https://example.com/b", false),
      ("example.com/a", "https://example.com/a", true), ("/a", "https://any.example/a?x=1#y", true),
      ("/a/*/c", "https://any.example/a/b/b/c", true), ("/a/*/c", "https://any.example/a/c", false),
      ("*.example.com/*", "https://www.example.com/x", true), ("*.example.com/*", "https://example.com/x", false),
      ("/a?b=*2", "https://any.example/a?c=3&b=12", true), ("/a?b=2", "https://any.example/a", false),
      ("/a#top", "https://any.example/a#top", true), ("/a#top", "https://any.example/a", false),
      ("/A", "https://any.example/a", true), ("", "https://any.example/", true),
      ("https://example.com:8080/a", "https://example.com:8080/a", true),
    ])
  func simpleTargets(pattern: String, address: String, isMatching: Bool) throws {
    let simple = try #require(SimpleAddress(pattern))
    var steps = 1_000
    let address = try #require(WebAddress(address))
    #expect(simple.matches(address, within: &steps) == isMatching)
  }

  @Test(
    "An address is read in its parts, or not at all",
    arguments: [
      ("HTTP://User@Example.com:80/a?b#c", "http://example.com/a?b#c"), ("https://e.example", "https://e.example/"),
      ("mailto:a@b", nil), ("https:///a", nil), ("/a?b", "https://_/a?b"), ("", "https://_/"),
      ("//cdn.example/a", "https://cdn.example/a"), ("a:b", nil),
    ] as [(String, String?)])
  func addresses(text: String, parsed: String?) {
    #expect(WebAddress(text, relativeTo: AddressTarget.base)?.text == parsed)
  }

  @Test("A redirect leads elsewhere once, keeps the query if it is to, and never to a page of the experiment")
  func redirects() throws {
    func redirect(_ page: String, to target: String, pattern: String) throws -> GrowthBookRedirect? {
      let text = #"""
        {"features": {}, "experiments": [{"key": "page", "urlPatterns": [{"type": "simple", "pattern": "\#(pattern)"}],
          "variations": [{}, {"urlRedirect": "\#(target)"}], "weights": [0, 1], "persistQueryString": true}]}
        """#
      let document = try GrowthBookDocument(Array(text.utf8))
      return try document.redirect(in: EvaluationContext(user: FlagUser(id: "1"), attributes: ["url": .string(page)]))
    }
    let found = try redirect("https://e.example/a?x=1&y=%20", to: "https://e.example/b?x=2", pattern: "/a")
    #expect(
      found
        == GrowthBookRedirect(
          experiment: "page", variation: "1", target: "https://e.example/b?x=2",
          address: "https://e.example/b?x=2&y=+"))
    #expect(try redirect("https://e.example/b", to: "https://e.example/b", pattern: "/a") == nil)
    #expect(try redirect("https://e.example/a", to: "https://e.example/a/b", pattern: "/a*") == nil)
  }

  @Test("The address of a page chooses a variation of a feature's experiment")
  func choosesByAddress() throws {
    let text = #"{"features": {"f": {"rules": [{"key": "exp", "variations": ["a", "b", "c"]}]}}}"#
    let document = try GrowthBookDocument(Array(text.utf8))
    for (query, value) in [("exp=2", "c"), ("exp=0", "a"), ("x=1&exp=1#exp=2", "b")] as [(String, FlagValue)] {
      let context = EvaluationContext(attributes: ["url": .string("https://e.example/?" + query)])
      #expect(try document.evaluate("f", in: context, at: 0)?.value == value)
    }
  }
}
