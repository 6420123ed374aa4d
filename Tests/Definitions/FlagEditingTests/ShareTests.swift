import FlagDefinitions
import FlagDomain
import FlagEditing
import Testing

@Suite("Shares of a rollout")
struct ShareTests {
  @Test(
    "Shares are set in tenths of a percent or finer, whatever the weights; the rest is shared in proportion",
    arguments: [
      ([25, 75], ["60", nil], [60, 40]), ([25, 75], [nil, "0.1"], [999, 1]), ([1, 1], ["33.3", nil], [333, 667]),
      ([1, 1, 1], ["50", nil, nil], [50, 25, 25]), ([1, 1, 1], ["40.1", nil, nil], [401, 300, 299]),
      ([99_999, 1], ["50", nil], [50_000, 50_000]), ([0, 0, 1], ["40", nil, nil], [40, 0, 60]),
      ([1, 1], ["0.000001 %", nil], [1, 99_999_999]), ([10, 90], [" 12.50 ", "87.5"], [125, 875]),
      ([1, 3], ["100", nil], [4, 0]), ([5, 5], ["50", nil], [5, 5]), ([0, 0], [nil, "25"], [75, 25]),
    ] as [([Int], [String?], [Int])])
  func sets(weights: [Int], shares: [String?], expected: [Int]) throws {
    var draft = try Self.draft(weights)
    try draft.setShares(shares, ofSplit: 0)
    #expect(draft.splits.first?.entries.map(\.weight) == expected)
  }

  @Test("A share without a weight gets one after its variant, whatever the variant's name")
  func addsWeights() throws {
    let document = #"{"flags": {"x": {"variants": {"a], \"b": 1, "c": 2}, "targeting": RULE}}}"#
    let rule = #"{"fractional": [["a], \"b" ], ["c", 1]]}"#
    let text = Array(document.replacing("RULE", with: rule).utf8)
    var draft = try DefinitionDraft("x", in: StoredDefinitions(parsing: text))
    try draft.setWeights([3, 4], ofSplit: 0)
    #expect(draft.rule == #"{"fractional": [["a], \"b" , 3], ["c", 4]]}"#)
  }

  @Test(
    "Shares that are malformed or do not add up are refused with what was found, and nothing is changed",
    arguments: [
      (["abc", nil], "share of a: expected a number from 0 to 100 with at most 6 decimal places, found “abc”"),
      (["", nil], "share of a: expected a number from 0 to 100 with at most 6 decimal places, found nothing"),
      (["-1", nil], "share of a: expected a number from 0 to 100 with at most 6 decimal places, found “-1”"),
      (["100.1", nil], "share of a: expected a number from 0 to 100 with at most 6 decimal places, found “100.1”"),
      (
        ["1.2345678", nil],
        "share of a: expected a number from 0 to 100 with at most 6 decimal places, found “1.2345678”"
      ),
      (["5", "1e1"], "share of b: expected a number from 0 to 100 with at most 6 decimal places, found “1e1”"),
      (["60", "60"], "expected shares that add up to 100 %, found 120 %"),
      (["60", "39.95"], "expected shares that add up to 100 %, found 99.95 %"),
      ([nil], "expected a percentage for each share of a split of the rule"),
    ] as [([String?], String)])
  func refuses(shares: [String?], message: String) throws {
    var draft = try Self.draft([1, 3])
    let before = draft
    let error = #expect(throws: FlagError.self) { try draft.setShares(shares, ofSplit: 0) }
    #expect(error?.message == message && draft == before)
  }

  private static func draft(_ weights: [Int]) throws -> DefinitionDraft {
    let shares = zip(["a", "b", "c"], weights).map { #"["\#($0)", \#($1)]"# }.joined(separator: ", ")
    let text =
      #"{"flags": {"f": {"state": "ENABLED", "variants": {"a": 1, "b": 2, "c": 3}, "#
      + #""targeting": {"fractional": [\#(shares)]}}}}"#
    return try DefinitionDraft("f", in: StoredDefinitions(parsing: Array(text.utf8)))
  }
}
