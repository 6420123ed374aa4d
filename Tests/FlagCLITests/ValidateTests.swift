import FlagCLI
import Testing

@Suite("flagctl validate")
struct ValidateTests {
  @Test("Each finding has its file, line, column and path; one error is enough for code 1")
  func findings() {
    let files = [
      "good.json": #"{"flags": {"f": {"state": "ENABLED", "variants": {"a": 1}, "defaultVariant": "b"}}}"#,
      "bad.json": "{\"flags\": {\n  \"f\": {\"state\": \"ENABLED\", \"variants\": {}}}}",
    ]
    #expect(
      Transcript("validate", "good.json", "bad.json", files: files)
        == Transcript(
          output: """
            good.json:1:78: warning: $.flags.f.defaultVariant: expected the name of a variant, found "b"
            good.json: valid
            bad.json:2:41: error: $.flags.f.variants: expected an object with at least one variant, found an empty object

            """, exitCode: 1))
  }

  @Test("A warning alone is no failure")
  func warnings() {
    let files = ["f.json": #"{"flags": {}}"#]
    #expect(Transcript("validate", "f.json", files: files) == Transcript(output: "f.json: valid\n"))
  }

  @Test("A file that cannot be read is an error of the data")
  func absent() {
    let expected = Transcript(errors: "flagctl: gone.json: cannot be read: no such file\n", exitCode: 1)
    #expect(Transcript("validate", "gone.json") == expected)
  }
}
