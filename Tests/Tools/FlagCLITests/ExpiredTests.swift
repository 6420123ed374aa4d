import Testing

@Suite("flagctl expired")
struct ExpiredTests {
  private static let document = """
    {"flags": {
      "old": {"state": "ENABLED", "variants": {"a": 1}, "metadata": {"expires": "2026-01-31", "owner": "growth"}},
      "new": {"state": "ENABLED", "variants": {"a": 1}, "metadata": {"expires": "2026-02-01"}},
      "odd": {"state": "ENABLED", "variants": {"a": 1}, "metadata": {"expires": "soon"}},
      "none": {"state": "ENABLED", "variants": {"a": 1}}}}
    """

  @Test("Flags whose day is over are listed with their owners, and days that are none")
  func lists() {
    let run = Transcript(["expired", "flags.json", "--today", "2026-02-01"], files: ["flags.json": Self.document])
    #expect(
      run
        == Transcript(
          output: """
            flags.json: odd: expires: expected a day such as "2027-01-31", found "soon"
            flags.json: old: expired on 2026-01-31, owner growth

            """, exitCode: 1))
  }

  @Test("Expired flags are JSON of a version, or annotations at their lines")
  func formats() {
    let words = ["expired", "flags.json", "--today", "2026-02-01"]
    #expect(
      Transcript(words + ["--json"], files: ["flags.json": Self.document])
        == Transcript(
          output: """
            {"flags":[{"column":10,"expires":null,"key":"odd","line":4,"message":"expires: expected a day such as \
            \\"2027-01-31\\", found \\"soon\\"","name":"flags.json","owner":null},{"column":10,"expires":"2026-01-31",\
            "key":"old","line":2,"message":"expired on 2026-01-31","name":"flags.json","owner":"growth"}],"version":1}

            """, exitCode: 1))
    #expect(
      Transcript(words + ["--format", "github"], files: ["flags.json": Self.document]).output == """
        ::error file=flags.json,line=4,col=10,title=flagctl%3A invalid-day::odd: expires: expected a day such as \
        "2027-01-31", found "soon"
        ::warning file=flags.json,line=2,col=10,title=flagctl%3A expired::old: expired on 2026-01-31, owner growth

        """)
  }

  @Test("Without such flags there is nothing to say")
  func listsNothing() {
    let document = #"{"flags": {"a": {"state": "ENABLED", "variants": {"a": 1}}}}"#
    #expect(Transcript(["expired", "flags.json"], files: ["flags.json": document]) == Transcript())
  }

  @Test("An invalid day is a usage error")
  func refusesDay() {
    #expect(Transcript(["expired", "flags.json", "--today", "tomorrow"]).exitCode == 64)
  }
}
