import FlagCLI
import Foundation
import TestSupport
import Testing

@Suite("flagctl serve", .timeLimit(.minutes(15)), .needs(.bash), .needs(.curl))
struct ServeTests {
  @Test("Says where it listens, serves definitions and answers, and ends when told")
  func serves() async throws {
    let server = try await RunningServer(["f.json": Self.flags("on")], ["--flags", "f.json"])
    #expect(server.url.host == "127.0.0.1")
    #expect(try await server.shell("curl -s $URL/flags.json") == Self.flags("on"))
    #expect(
      try await server.shell(#"curl -s $URL/ofrep/v1/evaluate/flags/new -d '{"context":{}}'"#)
        == #"{"key":"new","value":true,"variant":"on","reason":"STATIC"}"#)
    #expect(try await server.shell("curl -s $URL/readyz $URL/healthz") == "ready\nok\n")
    #expect(await server.end() == 0)
    #expect(server.errors.isEmpty)
  }

  @Test("Several documents are one, whose later parts count")
  func merges() async throws {
    let server = try await RunningServer(
      ["a.json": Self.flags("on"), "b.json": Self.flags("off")], ["--flags", "a.json", "b.json"])
    #expect(try await server.shell("curl -s $URL/flags.json").contains(#""defaultVariant": "off""#))
    #expect(await server.end() == 0)
  }

  @Test("An edit is served and told; a broken one is reported, and the last good document stays")
  func reloads() async throws {
    let server = try await RunningServer(["f.json": Self.flags("on")], ["--flags", "f.json"])
    let path = server.folder.appending(path: "f.json").path
    let stream = try EventReader(server.port)
    let first = try await stream.next()
    try server.write("f.json", Self.flags("off"))
    let second = try await stream.next()
    #expect(first != second)
    #expect(try await server.shell("curl -s $URL/flags.json") == Self.flags("off"))
    try server.write("f.json", "{")
    let broken = await server.errors { $0.contains("last good") }
    #expect(broken.contains("\(path):1:2: error: $: "))
    #expect(broken.hasSuffix("flagctl: \(path): the last good document is served\n"))
    #expect(try await server.shell("curl -s $URL/flags.json") == Self.flags("off"))
    try server.write("f.json", Self.flags("on"))
    #expect(try await stream.next() == first)
    #expect(await server.end() == 0)
    #expect(try await stream.rest().hasSuffix("0\r\n\r\n"), "the stream ends as it should")
  }

  @Test("Of fifty edits, most are on a stream in far less than a second")
  func isPrompt() async throws {
    let server = try await RunningServer(["f.json": Self.flags("on")], ["--flags", "f.json"])
    let stream = try EventReader(server.port)
    _ = try await stream.next()
    var times: [Duration] = []
    for number in 0..<50 {
      let start = ContinuousClock.now
      try server.write("f.json", Self.flags("on") + String(repeating: "\n", count: number + 1))
      _ = try await stream.next()
      times.append(ContinuousClock.now - start)
    }
    // A few milliseconds, on a machine with nothing else to do.
    #expect(times.sorted()[25] < .seconds(1), "\(times)")
    #expect(await server.end() == 0)
  }

  @Test("A flag that is malformed is reported, and the others are served")
  func reportsMalformed() async throws {
    let server = try await RunningServer(
      ["f.json": #"{"flags": {"a": 1, "b": {"state": "ENABLED", "variants": {"on": 1}}}}"#], ["--flags", "f.json"])
    #expect(
      server.errors.hasSuffix(
        "f.json:1:17: error: $.flags.a: expected an object with a flag's "
          + "\"state\" and \"variants\", found the integer 1\n"))
    #expect(await server.end() == 0)
  }

  @Test("The log has a line of JSON for each request, and no secret")
  func logs() async throws {
    let server = try await RunningServer(
      ["f.json": Self.flags("on"), "tokens": "secret\n"],
      ["--flags", "f.json", "--access-log", "--token-file", "tokens"])
    _ = try await server.shell("curl -s $URL/flags.json?ticket=hidden -H 'Authorization: Bearer secret'")
    _ = try await server.shell("curl -s $URL/flags.json")
    let log = await server.output { $0.split(separator: "\n").count == 3 }
    let lines = log.split(separator: "\n").dropFirst().map(String.init)
    #expect(
      lines.first?.contains(
        /^\{"bytes":\d+,"method":"GET","microseconds":\d+,"path":"\/flags.json","peer":"127.0.0.1","route":"\/flags.json","status":200,"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z"\}$/
      ) == true, "\(lines)")
    #expect(lines.last?.contains(#""status":401"#) == true)
    #expect(!log.contains("secret") && !log.contains("hidden"))
    #expect(await server.end() == 0)
  }

  @Test("With a token, who has none is refused, but for the questions for health; a ticket opens the stream")
  func demandsToken() async throws {
    let server = try await RunningServer(
      ["f.json": Self.flags("on"), "tokens": "\none\ntwo \n"], ["--flags", "f.json", "--token-file", "tokens"])
    let status = "curl -s -o answer -w '%{http_code} '"
    #expect(
      try await server.shell(
        """
        \(status) $URL/flags.json; \(status) $URL/flags.json -H 'Authorization: Bearer one'
        \(status) $URL/flags.json -H 'X-API-Key: two'; \(status) $URL/flags.json -H 'X-API-Key: three'
        \(status) $URL/healthz; \(status) $URL/flags/events; \(status) $URL/metrics
        """) == "401 200 200 401 200 401 401 ")
    let bulk = try await server.shell(
      #"curl -s $URL/ofrep/v1/evaluate/flags -H 'X-API-Key: one' -d '{"context":{}}'"#)
    let target = String(try #require(bulk.firstMatch(of: #/"requestUri":"([^"]*)"/#)).1)
    let stream = try EventReader(server.port, target)
    #expect(try await stream.next().contains("refetchEvaluation"))
    #expect(await server.end() == 0)
  }

  @Test("A foreign host is refused; one that is allowed, and pages of an allowed origin, are not")
  func checksHosts() async throws {
    let server = try await RunningServer(
      ["f.json": Self.flags("on")],
      ["--flags", "f.json", "--allowed-host", "Flags.Example.com", "--cors-origin", "https://app.example.com"])
    let status = "curl -s -o answer -w '%{http_code} ' $URL/healthz -H"
    #expect(
      try await server.shell(
        "\(status) 'Host: evil.example.com'; \(status) 'Host: flags.example.com'; \(status) 'Host: localhost:1'")
        == "421 200 200 ")
    let head = try await server.shell("curl -si $URL/flags.json -H 'Origin: https://app.example.com'")
    #expect(head.contains("\r\nAccess-Control-Allow-Origin: https://app.example.com\r\n"))
    #expect(await server.end() == 0)
  }

  @Test(
    "A vendor's stand-in says what the documents say, until its outage begins", arguments: ["launchdarkly", "firebase"])
  func mocks(vendor: String) async throws {
    let server = try await RunningServer(["f.json": Self.flags("on")], ["--flags", "f.json", "--mock", vendor])
    let flags = "curl -s -w ' %{http_code}' $URL/mocks/\(vendor)/flags?key=42"
    let value =
      vendor == "firebase" ? #"{"reason":"UNKNOWN","value":"true"}"# : #"{"reason":"TARGETING_MATCH","value":true}"#
    #expect(try await server.shell(flags) == #"{"new":\#(value)} 200"#)
    #expect(
      try await server.shell("curl -s -X PUT -d '' $URL/mocks/\(vendor)/outage; \(flags)")
        == #"{"error":"the service cannot be reached"} 503"#)
    #expect(
      try await server.shell("curl -s -X DELETE $URL/mocks/\(vendor)/outage; \(flags)") == #"{"new":\#(value)} 200"#)
    #expect(await server.end() == 0)
  }

  @Test(
    "What cannot be served is an exit code and a sentence",
    arguments: [
      (["--flags", "{}"], 1, "f:1:1: error: $: expected the member \"flags\", found none"),
      (["--flags", "gone"], 1, "flagctl: f: expected a file that can be read: "),
      (["--flags", "ok", "--token-file", "gone"], 1, "cannot be read"),
      (["--flags", "ok", "--token-file", "empty"], 1, "expected a token on a line, found none"),
      (["--flags", "ok", "--host", "192.0.2.1", "--insecure"], 69, "flagctl: listen at 192.0.2.1:0: "),
    ])
  func refuses(words: [String], code: Int32, message: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "serve-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "f").path
    if words[1] != "gone" {
      try Data((words[1] == "ok" ? Self.flags("on") : words[1]).utf8).write(to: URL(filePath: file))
    }
    let rest = words.dropFirst(2).map { $0 }
    let transcript = Transcript(
      ["serve", "--flags", file, "--port", "0"] + rest, files: ["empty": " \n"])
    #expect(transcript.exitCode == code)
    #expect(transcript.output.isEmpty)
    #expect(transcript.errors.replacing(file, with: "f").contains(message), "\(transcript.errors)")
    try FileManager.default.removeItem(at: folder)
  }

  @Test(
    "A command line that means nothing is refused",
    arguments: [
      (["serve"], "--flags FILE is missing"), (["serve", "f"], "--flags is missing before f"),
      (["serve", "--flags", "f", "--port", "65536"], "--port is a whole number from 0 to 65535, found 65536"),
      (["serve", "--flags", "f", "--threads", "0"], "--threads is a whole number from 1 to 64, found 0"),
      (
        ["serve", "--flags", "f", "--host", "0.0.0.0"],
        "--host 0.0.0.0 is beyond this machine: --token-file FILE or --insecure is missing"
      ),
      (
        ["serve", "--flags", "f", "--host=::", "--insecure"],
        "--host :: is every address: --allowed-host NAME is missing"
      ),
      (
        ["serve", "--flags", "f", "--host", "127.evil.com"],
        "--host 127.evil.com is beyond this machine: --token-file FILE or --insecure is missing"
      ),
      (
        ["serve", "--flags", "f", "--allowed-host", "a:1"],
        "--allowed-host is a name without a port, such as flags.example.com, found a:1"
      ),
      (
        ["serve", "--flags", "f", "--cors-origin", "example.com"],
        "--cors-origin is * or an origin such as https://example.com, found example.com"
      ),
      (["serve", "--flags", "f", "--mock", "x"], "--mock is launchdarkly or firebase, found x"),
      (["serve", "--flags", "f", "--insecure=yes"], "--insecure takes no value"),
      (["serve", "--flags", "f", "--loud"], "unknown option --loud"),
    ])
  func refusesWords(words: [String], message: String) {
    #expect(
      Transcript(words) == Transcript(errors: "flagctl: \(message); see flagctl serve --help\n", exitCode: 64))
  }

  static func flags(_ variant: String) -> String {
    """
    {"flags": {"new": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "\(variant)"}}}
    """
  }
}
