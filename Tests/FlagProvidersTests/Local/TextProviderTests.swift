import FlagDomain
import FlagProviders
import FlagTesting
import TestSupport
import Testing

@Suite("Environment and launch arguments")
struct TextProviderTests {
  @Test("Meets the contract of every provider: the environment")
  func environment() async throws {
    let provider = EnvironmentProvider(prefix: "APP", variables: ["APP_FEED_PAGE_SIZE": "20", "OTHER": "1"])
    try await ProviderContract(provider, present: ["feed.page-size": "20"], absent: "other").check()
  }

  @Test("Meets the contract of every provider: launch arguments")
  func arguments() async throws {
    let provider = LaunchArgumentsProvider(["app", "--feed.page-size=20", "--verbose", "-ranking", "new"])
    try await ProviderContract(
      provider, present: ["feed.page-size": "20", "ranking": "new"], absent: "verbose"
    ).check()
  }

  @Test(
    "A variable's name is the key's in capitals",
    arguments: [
      ("feed.page-size", "FEED_PAGE_SIZE"), ("useURLSession2", "USEURLSESSION2"), ("straße", "STRA_E"), ("é/ñ", "___"),
      ("ﬁn", "_N"), ("ısı", "_S_"), ("ÿ9", "_9"),
    ] as [(FlagKey, String)])
  func namesVariables(key: FlagKey, name: String) {
    #expect(EnvironmentProvider(variables: [:]).variableName(for: key) == name)
    #expect(EnvironmentProvider(prefix: "APP", variables: [:]).variableName(for: key) == "APP_" + name)
  }

  @Test(
    "Arguments are read in both forms, and the last one counts",
    arguments: [
      (["--a=1", "--a=2"], "2"), (["-a", "1"], "1"), (["--a="], ""), (["--a=b=c"], "b=c"), (["--a"], nil),
      (["-a"], nil),
      (["a=1"], nil), (["--a", "1"], "1"), (["-a", "-1"], "-1"), (["--flag", "a", "1"], "1"), (["--a", "--b"], nil),
      (["-v", "-a", "1"], "1"), (["--a", "-b", "2"], nil), (["--flag", "--a=1"], "1"), (["-a", "YES"], "YES"),
      (["-v", "--a=1"], "1"), (["-v", "--flag", "a=1"], "1"),
    ])
  func readsArguments(arguments: [String], value: String?) {
    let snapshot = LaunchArgumentsProvider(["app"] + arguments).snapshot()
    #expect(snapshot.value(of: "a") == value.map(FlagValue.string))
  }

  @Test(
    "Arguments are read as people type them: with one hyphen or a long dash, and as one argument with a space",
    arguments: [
      ["-flag", "a=1 2"], ["-flag a=1 2"], ["--flag a=1 2"], ["--flag=a=1 2"], ["-flag=a=1 2"], ["-Flag", "a=1 2"],
      ["–flag", "a=1 2"], ["—flag", "a=1 2"], ["—flag a=1 2"], ["––flag=a=1 2"], ["--flag", "a 1 2"], ["-a 1 2"],
      ["--flag=a", "1 2"], ["—a=1 2"], ["–a", "1 2"], ["--flag\u{a0}a = 1 2"], ["--flag ", "a=1 2"],
      ["-v", "—a", "1 2"],
    ])
  func readsTyped(arguments: [String]) throws {
    let provider = LaunchArgumentsProvider(["app"] + arguments)
    #expect(try #require(provider.snapshot().value(of: "a")?.text).drop { $0 == " " } == "1 2")
    #expect(provider.unknownEntries(besides: ["a", "v"]).map(\.message).filter { !$0.contains("found none") } == [])
  }

  @Test(
    "An argument that names a flag and is not read is reported with what was expected",
    arguments: [
      (["a=1"], "a=1"), (["--flags", "a=1"], "--flags a=1"), (["flag", "a=1"], "a=1"),
      (["-verbose", "a=1"], "--verbose a=1"), (["--feature=a=1"], "--feature a=1"),
    ])
  func reportsLookAlikes(arguments: [String], found: String) {
    let provider = LaunchArgumentsProvider(["app"] + arguments)
    #expect(provider.snapshot().value(of: "a") == nil)
    #expect(
      provider.unknownEntries(besides: ["a"]) == [
        FlagError(.parseError, "expected --flag a=1, found \"\(found)\"", key: "a", provider: "launch arguments")
      ])
  }

  @Test("An argument is that of the flag with its code points, and another Unicode form is reported")
  func readsCodePoints() {
    let (composed, decomposed): (FlagKey, FlagKey) = ("caf\u{e9}", "cafe\u{301}")
    let provider = LaunchArgumentsProvider(["app", "--flag", "\(composed.name)=1", "--flag", "\(decomposed.name)=2"])
    #expect(provider.snapshot().value(of: composed) == "1" && provider.snapshot().value(of: decomposed) == "2")
    #expect(provider.unknownEntries(besides: [composed]).map(\.code) == [.flagNotFound])
    #expect(LaunchArgumentsProvider(["app", "--\(composed.name)=1"]).snapshot().value(of: decomposed) == nil)
  }

  @Test(
    "Arguments of others are not reported, nor values that look like arguments",
    arguments: [
      ["-NSDocumentRevisionsDebugMode", "YES"], ["-AppleLanguages", "(en, es)"], ["-AppleLocale", "es_ES"],
      ["--a", "a=1"], ["--a=b=1"], ["-psn_0_1"], ["b=1"], ["--url", "https://flags.example/?b=1"], ["-", "--"], ["—"],
      ["--a", "–5"], ["--flag", "a=—"], ["-NSTreatUnknownArgumentsAsOpen NO"],
    ])
  func ignoresOthers(arguments: [String]) {
    #expect(LaunchArgumentsProvider(["app"] + arguments).unknownEntries(besides: ["a", "c"]) == [])
  }

  @Test("Keys that share a variable because of letters without an upper-case ASCII letter are reported")
  func reportsSharedVariables() {
    let provider = EnvironmentProvider(variables: [:])
    #expect(provider.unknownEntries(besides: ["straße", "strasse"]) == [])
    #expect(
      provider.unknownEntries(besides: ["straße", "stra.e"]).map(\.message) == [
        "STRA_E is the variable of several flags: stra.e, straße"
      ])
  }

  @Test("No arguments at all, not even a name, are no values")
  func readsNothing() { #expect(LaunchArgumentsProvider([]).snapshot().value(of: "a") == nil) }

  @Test("Text is read as the flag's type, exactly")
  func convertsText() throws {
    let snapshot = EnvironmentProvider(variables: [
      "ON": "true", "SIZE": "20", "LIST": "[1, 2]", "YES": "Yes", "MAYBE": "maybe",
    ])
    .snapshot()
    let reader = snapshot.textReader
    #expect(try snapshot.value(of: "on")?.decode(as: Bool.self, textReader: reader) == true)
    #expect(try snapshot.value(of: "size")?.decode(as: Int.self, textReader: reader) == 20)
    #expect(try snapshot.value(of: "list")?.decode(as: [Int].self, textReader: reader) == [1, 2])
    #expect(try snapshot.value(of: "yes")?.decode(as: Bool.self, textReader: reader) == true)
    #expect(throws: FlagError.self) { try snapshot.value(of: "maybe")?.decode(as: Bool.self, textReader: reader) }
  }
}
