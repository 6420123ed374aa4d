import FlagDomain
import FlagProviders
import FlagTesting
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
      ("feed.page-size", "FEED_PAGE_SIZE"), ("useURLSession2", "USEURLSESSION2"), ("straße", "STRASSE"), ("é/ñ", "___"),
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

  @Test("No arguments at all, not even a name, are no values")
  func readsNothing() { #expect(LaunchArgumentsProvider([]).snapshot().value(of: "a") == nil) }

  @Test("Text is read as the flag's type, exactly")
  func convertsText() throws {
    let snapshot = EnvironmentProvider(variables: ["ON": "true", "SIZE": "20", "LIST": "[1, 2]", "YES": "yes"])
      .snapshot()
    let reader = snapshot.textReader
    #expect(try snapshot.value(of: "on")?.decode(as: Bool.self, textReader: reader) == true)
    #expect(try snapshot.value(of: "size")?.decode(as: Int.self, textReader: reader) == 20)
    #expect(try snapshot.value(of: "list")?.decode(as: [Int].self, textReader: reader) == [1, 2])
    #expect(throws: FlagError.self) { try snapshot.value(of: "yes")?.decode(as: Bool.self, textReader: reader) }
  }
}
