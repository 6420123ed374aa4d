import Testing

@Suite("flagctl simulate")
struct SimulateTests {
  static let document = """
    {"flags": {
      "button": {"state": "ENABLED", "variants": {"blue": 1, "green": 2}, "defaultVariant": "blue",
        "targeting": {"fractional": [["blue"], ["green"]]}, "metadata": {"experiment": true}},
      "off": {"state": "DISABLED", "variants": {"on": true}, "defaultVariant": "on"},
      "bad": {"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on", "targeting": {"nope": []}}
    }, "metadata": {"version": "7"}}
    """

  private static func run(_ words: String..., more: [String] = []) -> Transcript {
    Transcript(["simulate", "--flags", "f.json"] + words + more, files: ["f.json": document])
  }

  @Test("Events come in the order of users, the same in every run, and a plan beside them")
  func simulates() {
    let run = Self.run(
      "button", "--users", "3", "--metric", "purchase=60%:10", "--effect", "green=+20%", "--seed", "6")
    #expect(run.exitCode == 0)
    #expect(
      run.errors
        == "purchase of green: 535 users of each variant, 7490 days as here, find it with a power of 0.8 "
        + "(any look)\n")
    #expect(run.output == Self.events)
  }

  private static let events = """
    {"flag":"button","id":"CEF2DF89-F8F7-47C3-AB49-80394676C099",\
    "kind":"exposure","reason":"TARGETING_MATCH","schema":1,"time":"2026-01-01T00:00:00.000Z",\
    "unit":"user-1","variant":"green","version":"7"}
    {"id":"A2AD89B5-E486-4BE4-BF6C-47E0731649A9",\
    "kind":"conversion","name":"purchase","schema":1,"time":"2026-01-01T00:34:19.069Z",\
    "unit":"user-1","value":14.3}
    {"flag":"button","id":"AEAB3D7C-5866-4152-928A-D514E77214E4",\
    "kind":"exposure","reason":"TARGETING_MATCH","schema":1,"time":"2026-01-05T16:00:00.000Z",\
    "unit":"user-2","variant":"green","version":"7"}
    {"flag":"button","id":"EEDC1834-1F3A-4F03-B671-886C0D7AE5E8",\
    "kind":"exposure","reason":"TARGETING_MATCH","schema":1,"time":"2026-01-10T08:00:00.000Z",\
    "unit":"user-3","variant":"blue","version":"7"}

    """

  @Test(
    "Users are counted for the verdict that decides, and for as many comparisons as it is corrected for",
    arguments: [
      ([], "535 users of each variant, 7490 days as here, find it with a power of 0.8 (any look)"),
      (["--one-look"], "241 users of each variant, 3374 days as here, find it with a power of 0.8 (one look)"),
      (
        ["--one-look", "--metric", "b=1%"],
        "292 users of each variant, 4088 days as here, find it with a power of 0.8 (one look, 2 comparisons)"
      ),
      (
        ["--one-look", "--metric", "b=1%", "--comparisons", "1", "--alpha", "0.025"],
        "292 users of each variant, 4088 days as here, find it with a power of 0.8 (one look)"
      ),
    ])
  func plans(words: [String], plan: String) {
    let run = Self.run(
      "button", "--users", "3", "--metric", "purchase=60%", "--effect", "green:purchase=+20%", more: words)
    #expect(run.errors == "purchase of green: \(plan)\n")
  }

  @Test("What is simulated is analyzed")
  func isAnalyzed() {
    let events = Self.run("button", "--users", "800", "--metric", "purchase=30%", "--effect", "green:purchase=+60%")
    let run = Transcript("analyze", "--events", "e", files: ["e": events.output])
    #expect(run.exitCode == 0 && run.output.contains("  better\n"), "\(run.output)")
  }

  @Test(
    "What cannot be simulated is one line",
    arguments: [
      (["gone"], "no flag is named \"gone\": there are \"bad\", \"button\", \"off\""),
      (["off"], "off, for user-1: expected a variant, found the code's default (DISABLED)"),
      (["button", "--effect", "red=1%"], "button has no variant \"red\""),
      (["bad"], "bad, for user-1: PARSE_ERROR: "),
    ])
  func refuses(words: [String], message: String) {
    let run = Transcript(
      ["simulate", "--flags", "f.json", "--metric", "a=1"] + words, files: ["f.json": Self.document])
    #expect(run.exitCode == 1 && run.errors.contains("flagctl: \(message)"), "\(run.errors)")
  }

  @Test(
    "A command line that means nothing says what is expected",
    arguments: [
      (["--metric", "a=1"], "--flags FILE is missing"), (["--flags", "f"], "a FLAG is missing"),
      (["--flags", "f", "x"], "--metric NAME=SHARE is missing"),
      (["--flags", "f", "x", "--users", "0"], "--users is a whole number from 1 to 1000000000, found 0"),
      (["--flags", "f", "x", "--start", "now"], "--start is a time such as 2026-01-01T00:00:00Z, found now"),
      (["--flags", "f", "x", "--power", "1"], "--power is a number above 0.05 and under 1, found 1"),
      (
        ["--flags", "f", "x", "--metric", "a"],
        "--metric: expected a name, a share of users and maybe a mean value, as in purchase=10%:25, found \"a\""
      ),
      (
        ["--flags", "f", "x", "--effect", "a"],
        "--effect: expected a variant and its effect, as in green:purchase=+5%, found \"a\""
      ),
      (["--flags", "f", "x", "y"], "one FLAG is enough, found y as well"),
    ])
  func usage(words: [String], message: String) {
    #expect(
      Transcript(["simulate"] + words)
        == Transcript(errors: "flagctl: \(message); see flagctl simulate --help\n", exitCode: 64))
  }
}
