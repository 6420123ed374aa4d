import Testing

@Suite("flagctl check")
struct CheckTests {
  private static let catalog = """
    {"version": 1, "flags": {
      "page-size": {"flagType": "integer", "defaultValue": 20},
      "theme": {"flagType": "string", "defaultValue": "light", "choices": ["light", "dark"]},
      "old": {"flagType": "boolean", "defaultValue": false, "expires": "2026-01-31", "owner": "growth"}}}
    """
  private static let files = [
    "catalog.json": catalog,
    "a.json": """
    {"flags": {
      "page-sise": {"state": "ENABLED", "variants": {"a": 10}},
      "theme": {"state": "ENABLED", "variants": {"a": "light", "b": "blue", "c": "dark"}}}}
    """,
    "b.json": """
    {"flags": {
      "old": {"state": "ENABLED", "variants": {"on": "true"}}}}
    """,
  ]

  @Test("Each mismatch has its file, line and column, or the catalog; a near name is suggested")
  func lists() {
    #expect(
      Transcript(
        ["check", "--catalog", "catalog.json", "a.json", "b.json", "--today", "2026-02-01"], files: Self.files)
        == Transcript(
          output: """
            catalog.json: old: expired on 2026-01-31, owner growth, and is still declared (expired)
            catalog.json: page-size: no document defines this flag: did you mean "page-sise"? (missing-key)
            a.json:2:16: page-sise: no code declares this flag: did you mean "page-size"? (unknown-key)
            a.json:3:65: theme: variant "b": expected one of the cases "light", "dark", found the string "blue" \
            (unknown-case)
            b.json:2:50: old: variant "on": expected boolean, found the string "true" (type-mismatch)

            """, exitCode: 1))
  }

  @Test("Several catalogs are one, and a flag that two declare differently is an error")
  func merges() {
    var files = Self.files
    files["more.json"] = """
      {"flags": {"page-sise": {"flagType": "integer", "defaultValue": 1},
        "gone": {"flagType": "boolean", "defaultValue": true}}}
      """
    files["other.json"] = #"{"flags": {"theme": {"flagType": "string", "defaultValue": "dark"}}}"#
    let words = ["check", "--catalog=catalog.json", "--catalog=more.json", "a.json", "b.json", "--today=2026-01-31"]
    #expect(
      Transcript(words + ["--allow=type-mismatch", "--allow=unknown-case"], files: files)
        == Transcript(
          output: """
            more.json: gone: no document defines this flag (missing-key)
            catalog.json: page-size: no document defines this flag (missing-key)

            """, exitCode: 1))
    let github = Transcript(words + ["--github"], files: files).output
    #expect(github.hasPrefix("::error file=more.json,line=1,col=1,title=flagctl%3A missing-key::gone: no document "))
    let twice = Transcript(["check", "--catalog=catalog.json", "--catalog=catalog.json", "a.json"], files: files)
    #expect(twice.exitCode == 1 && twice.errors.isEmpty)
    let differs = Transcript(["check", "--catalog=catalog.json", "--catalog=other.json", "a.json"], files: files)
    #expect(
      differs.errors
        == "flagctl: catalog.json, other.json: expected one declaration of theme, found two that differ\n")
  }

  @Test("Kinds that are allowed are passed over, and without others the exit code is 0")
  func allows() {
    let words = ["check", "--catalog=catalog.json", "a.json", "b.json", "--today=2026-01-31"]
    let most = words + ["--allow=unknown-key", "--allow=missing-key", "--allow=unknown-case"]
    #expect(
      Transcript(most + ["--json"], files: Self.files)
        == Transcript(
          output: """
            {"mismatches":[{"column":50,"file":"b.json","key":"old","kind":"type-mismatch","line":2,"message":"variant \
            \\"on\\": expected boolean, found the string \\"true\\""}],"version":1}

            """, exitCode: 1))
    #expect(Transcript(most + ["--allow=type-mismatch"], files: Self.files) == Transcript())
  }

  @Test("Where documents and code agree, nothing is said; a day of expiry may be the document's")
  func agrees() {
    var files = ["c": #"{"flags": {"f": {"flagType": "boolean", "defaultValue": true}}}"#]
    files["d"] =
      #"{"flags": {"f": {"state": "ENABLED", "variants": {"on": true}, "metadata": {"expires": "2026-01-31"}}}}"#
    #expect(Transcript(["check", "--catalog=c", "d", "--today=2026-01-31"], files: files) == Transcript())
    #expect(
      Transcript(["check", "--catalog=c", "d", "--today=2026-02-01"], files: files)
        == Transcript(output: "d:1:17: f: expired on 2026-01-31 (expired)\n", exitCode: 1))
  }

  @Test("Without a catalog, flags whose day is over are listed with their owners, in text, JSON and annotations")
  func listsExpired() {
    let files = [
      "f.json": """
      {"flags": {
        "old": {"state": "ENABLED", "variants": {"a": 1}, "metadata": {"expires": "2026-01-31", "owner": "growth"}},
        "new": {"state": "ENABLED", "variants": {"a": 1}, "metadata": {"expires": "2026-02-01"}},
        "odd": {"state": "ENABLED", "variants": {"a": 1}, "metadata": {"expires": "soon"}},
        "none": {"state": "ENABLED", "variants": {"a": 1}}}}
      """
    ]
    let words = ["check", "f.json", "--today=2026-02-01"]
    #expect(
      Transcript(words, files: files)
        == Transcript(output: "f.json:2:10: old: expired on 2026-01-31, owner growth (expired)\n", exitCode: 1))
    #expect(
      Transcript(words + ["--json"], files: files).output == """
        {"mismatches":[{"column":10,"file":"f.json","key":"old","kind":"expired","line":2,"message":"expired on \
        2026-01-31, owner growth"}],"version":1}

        """)
    #expect(
      Transcript(words + ["--github"], files: files).output == """
        ::warning file=f.json,line=2,col=10,title=flagctl%3A expired::old: expired on 2026-01-31, owner growth

        """)
    #expect(Transcript(["check", "f.json", "--today=2026-01-31"], files: files) == Transcript())
    let unread = Transcript(words + ["gone.json"], files: files)
    #expect(unread == Transcript(errors: "flagctl: gone.json: cannot be read: no such file\n", exitCode: 1))
  }

  @Test("An invalid catalog and a malformed flag are errors")
  func refuses() {
    let files = [
      "c": #"{"flags": {"f": {"flagType": "boolean", "defaultValue": true}}}"#, "bad": "{}",
      "d": #"{"flags": {"f": {"state": 1, "variants": {"on": true}}}}"#,
    ]
    #expect(
      Transcript(["check", "--catalog=bad", "d"], files: files)
        == Transcript(
          errors: "flagctl: bad: line 1, column 1: $.flags: expected an object with a member for each flag, "
            + "found nothing\n", exitCode: 1))
    let malformed = Transcript(["check", "--catalog=c", "d"], files: files)
    #expect(malformed.exitCode == 1 && malformed.output.isEmpty)
    #expect(malformed.errors.hasPrefix("d:1:") && malformed.errors.contains("$.flags.f.state"))
  }
}
