@testable import FlagCLI
import FlagDomain
import FlagServer
import Foundation
import TestSupport
import Testing

@Suite("flagctl serve", .timeLimit(.minutes(15)), .needs(.bash), .needs(.curl))
struct ServeTests {
  @Test("Prints its address, serves definitions and answers, and ends on a signal")
  func serves() async throws {
    let server = try await RunningServer(["f.json": Self.flags("on")], ["--flags", "f.json"])
    #expect(server.url.host == "127.0.0.1")
    #expect(try await server.shell("curl -s $URL/flags.json") == Self.flags("on"))
    #expect(
      try await server.shell(#"curl -s $URL/ofrep/v1/evaluate/flags/new -d '{"context":{}}'"#)
        == #"{"key":"new","value":true,"variant":"on","reason":"STATIC"}"#)
    #expect(try await server.shell("curl -s $URL/readyz $URL/healthz") == "ready\nok\n")
    #expect(await server.end() == 0)
    let lines = server.errors.split(separator: "\n")
    #expect(lines.count == 2 && lines[1].contains(/Z flagctl: version \d+\.\d+\.\d+ stops at http:\/\/127.0.0.1:\d+$/))
    #expect(
      lines[0].contains(
        /flagctl: version \d+\.\d+\.\d+ serves at http:\/\/127.0.0.1:\d+; flags: 1, of the version [0-9a-f]{32}$/))
  }

  @Test("The definitions have tokens and origins of their own, whose files are read again, or are not served")
  func protectsDefinitions() async throws {
    let hangup = Locked<@Sendable () -> Void>({})
    let server = try await RunningServer(
      ["f.json": Self.flags("on"), "apps": "one", "servers": "two"],
      [
        "--flags", "f.json", "--token-file", "apps", "--definitions-token-file", "servers", "--cors-origin",
        "https://app.example", "--definitions-cors-origin", "https://ops.example",
      ]
    ) { terminal in terminal.onReload = { body in hangup.withLock { $0 = body } } }
    let requests = """
      for token in one two three; do
        curl -s -o answer -w '%{http_code} ' $URL/flags.json -H "X-API-Key: $token"
        curl -s -o answer -w '%{http_code} ' $URL/ofrep/v1/evaluate/flags -H "X-API-Key: $token" -d '{"context":{}}'
      done
      """
    #expect(try await server.shell(requests) == "401 200 200 200 401 401 ")
    for (origin, path, isAllowed) in [
      ("app", "flags.json", false), ("ops", "flags.json", true), ("app", "metrics", true), ("ops", "metrics", false),
    ] {
      let head = try await server.shell(
        "curl -si $URL/\(path) -H 'X-API-Key: two' -H 'Origin: https://\(origin).example'")
      #expect(head.contains("Access-Control-Allow-Origin: https://\(origin).example\r\n") == isAllowed)
      #expect(head.hasPrefix("HTTP/1.1 403") == (path == "flags.json" && !isAllowed))
    }
    try server.write("servers", "three")
    try await waitUntil { try await server.shell(requests) == "401 200 401 401 200 200 " }
    try server.write("servers", "")
    hangup.withLock { $0 }()
    #expect(try await server.shell(requests) == "401 200 401 401 200 200 ")
    #expect(await server.errors { $0.contains("tokens of before") }.contains("expected a token on a line, found none"))
    #expect(await server.end() == 0)
    let other = try await RunningServer(["f.json": Self.flags("on")], ["--flags", "f.json", "--no-definitions"])
    #expect(try await other.shell("curl -s -o answer -w '%{http_code}' $URL/flags.json") == "404")
    #expect(try await other.shell(#"curl -s $URL/ofrep/v1/evaluate/flags/new -d '{"context":{}}'"#).contains("true"))
    #expect(await other.end() == 0)
  }

  @Test("Flags of LaunchDarkly that are for servers alone are in no answer")
  func keepsServerFlags() async throws {
    func flag(_ availability: String) -> String {
      #"{"on": false, "offVariation": 0, "variations": [true]\#(availability)}"#
    }
    let document = """
      {"flags": {"all": \(flag("")), "app": \(flag(#", "clientSideAvailability": {"usingMobileKey": true}"#)),
      "server": \(flag(#", "clientSideAvailability": {"usingMobileKey": false, "usingEnvironmentId": false}"#)),
      "broken": \(flag(#", "clientSideAvailability": {"usingMobileKey": false}, "targets": [{"values": "vip"}]"#)),
      "unknown": \(flag(#", "clientSideAvailability": null"#)), "open": \(flag(#", "targets": [{"values": "vip"}]"#))},
      "segments": {}}
      """
    let server = try await RunningServer(
      ["f.json": document], ["--flags", "f.json", "--format", "launchdarkly"])
    let keys = try await server.shell(
      #"curl -s $URL/ofrep/v1/evaluate/flags -d '{"context":{"targetingKey":"ann"}}' | grep -o '"key":"[a-z]*"'"#)
    #expect(keys == "\"key\":\"all\"\n\"key\":\"app\"\n\"key\":\"open\"\n")
    // An answer says where a flag is malformed, and nothing of its rules; the log says that, too.
    let details = try await server.shell(
      #"curl -s $URL/ofrep/v1/evaluate/flags/open -d '{"context":{"targetingKey":"ann"}}'"#)
    #expect(details.contains("$.flags.open.targets[0].values: the definition is malformed") && !details.contains("vip"))
    #expect(server.errors.contains("$.flags.open.targets[0].values: expected an array, found the string \"vip\""))
    let one = "curl -s -o answer -w '%{http_code}' $URL/ofrep/v1/evaluate/flags/server"
    #expect(try await server.shell(one + #" -d '{"context":{"targetingKey":"ann"}}'"#) == "404")
    #expect(await server.end() == 0)
  }

  @Test("A server that is to stop is not ready for a time, and serves all else")
  func drains() async throws {
    let (begin, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let pauses = Locked<[Duration]>([])
    let server = try await RunningServer(
      ["f.json": Self.flags("on")], ["--flags", "f.json", "--drain", "5s"]
    ) { terminal in
      terminal.pause = { time in
        pauses.withLock { $0.append(time) }
        begin.signal()
        do { try await onThread { end.wait() } } catch {}
      }
    }
    let code = Task { await server.end() }
    try await onThread { begin.wait() }
    let status = "curl -s -o answer -w '%{http_code} '"
    #expect(
      try await server.shell("\(status) $URL/readyz; \(status) $URL/healthz; \(status) $URL/flags.json")
        == "503 200 200 ")
    end.signal()
    #expect(await code.value == 0)
    #expect(pauses.withLock { $0 } == [.seconds(5)])
    #expect(server.errors.contains("flagctl: not ready from now on; stops in 5.0 seconds\n"))
  }

  @Test("An idle connection is closed after the time that is given, and by default later than by balancers")
  func closesIdle() async throws {
    #expect(ServerLimits().idleTime == .seconds(75))
    let server = try await RunningServer(
      ["f.json": Self.flags("on")], ["--flags", "f.json", "--idle-timeout", "0.2s"])
    // Reading ends with 1 at the end of the connection, and with a number above 128 after the time.
    let code = try await server.shell(
      #"""
      exec 3<>/dev/tcp/127.0.0.1/${URL##*:}
      printf 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n' >&3
      code=0
      while [ $code = 0 ]; do IFS= read -r -t 30 line <&3; code=$?; done
      echo $code
      """#)
    #expect(code == "1\n")
    #expect(await server.end() == 0)
  }

  @Test("Changes of a document are logged by flag, and metrics count the broken ones")
  func tellsChanges() async throws {
    func document(_ flags: String) -> String { "{\"flags\": {\(flags)}}" }
    let flag = #"{"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on"}"#
    let rule = #"{"state": "ENABLED", "variants": {"on": true}, "targeting": {"if": [{"$ref": "gone"}, "on"]}}"#
    let server = try await RunningServer(
      ["f.json": document(#""a": \#(flag), "b": \#(flag), "c": 1, "e": \#(rule)"#)], ["--flags", "f.json"])
    let metrics = try await server.shell("curl -s $URL/metrics")
    #expect(metrics.contains("\nflags_document_broken_flags 2\n"))
    #expect(server.errors.contains("error: $.flags.e.targeting: no evaluator is named \"gone\"\n"))
    #expect(metrics.contains(/\nflags_build_info\{version="\d+\.\d+\.\d+"\} 1\n/))
    #expect(metrics.contains(/\nprocess_start_time_seconds \d+\n/))
    #expect(metrics.contains(/\nprocess_cpu_seconds_total \d+\.\d+/))
    #if os(Linux)
      #expect(metrics.contains(/\nprocess_resident_memory_bytes \d{6,}\n/))
      #expect(metrics.contains(/\nprocess_open_fds \d+\n/))
    #endif
    try server.write("f.json", document(#""b": \#(flag.replacing("true", with: "false")), "d": \#(flag)"#))
    let path = server.folder.appending(path: "f.json").path
    let errors = await server.errors { $0.contains("flags: 2") }
    let version = try await server.shell("curl -si $URL/flags.json | grep -o '[0-9a-f]\\{32\\}'").prefix(32)
    #expect(
      errors.contains("flagctl: \(path): flags: 2, of the version \(version); added d; changed b; removed a, c, e\n"),
      "\(errors)")
    #expect(await server.end() == 0)
  }

  @Test("Several documents are one, whose later parts count")
  func merges() async throws {
    let server = try await RunningServer(
      ["a.json": Self.flags("on"), "b.json": Self.flags("off")], ["--flags", "a.json", "b.json"])
    #expect(try await server.shell("curl -s $URL/flags.json").contains(#""defaultVariant": "off""#))
    #expect(await server.end() == 0)
  }

  @Test("An edit is served and announced; a broken one is reported, and the last good document stays")
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
    let status = "curl -s -o answer -w '%{http_code} ' $URL/flags.json -H"
    #expect(
      try await server.shell(
        "\(status) 'Host: evil.example.com'; \(status) 'Host: flags.example.com'; \(status) 'Host: localhost:1'")
        == "421 200 200 ")
    let head = try await server.shell("curl -si $URL/metrics -H 'Origin: https://app.example.com'")
    #expect(head.contains("\r\nAccess-Control-Allow-Origin: https://app.example.com\r\n"))
    #expect(await server.end() == 0)
  }

  @Test("Probes are answered for any host or none, and requests for the machine's own addresses, whatever is allowed")
  func answersProbes() async throws {
    let server = try await RunningServer(
      ["f.json": Self.flags("on")], ["--flags", "f.json", "--host", "0.0.0.0", "--insecure", "--allowed-host", "flags"])
    let status = "curl -s -o answer -w '%{http_code} '"
    #expect(
      try await server.shell(
        """
        for path in healthz readyz metrics flags.json; do
          for host in 10.244.0.5:8016 127.0.0.1:8016 localhost flags evil.example; do
            \(status) http://127.0.0.1:\(server.port)/$path -H "Host: $host"
          done
          \(status) --http1.0 http://127.0.0.1:\(server.port)/$path -H Host:
          \(status) $URL/$path
        done
        """) == String(repeating: "200 200 200 200 200 200 200 ", count: 2)
        + String(repeating: "421 200 200 200 421 421 200 ", count: 2))
    #expect(await server.end() == 0)
  }

  @Test("Behind a proxy, streams have its path and are not buffered, and logs have the client's address")
  func servesBehindProxy() async throws {
    let server = try await RunningServer(
      ["f.json": Self.flags("on")], ["--flags", "f.json", "--trusted-proxy", "127.0.0.0/8", "--access-log"])
    let bulk = try await server.shell(
      #"curl -s $URL/ofrep/v1/evaluate/flags -H 'X-Forwarded-Prefix: /flagsvc' -H 'X-Forwarded-For: 203.0.113.9' -d '{"context":{}}'"#
    )
    #expect(bulk.contains(#""requestUri":"/flagsvc/ofrep/v1/flags/events""#))
    let log = await server.output { $0.split(separator: "\n").count == 2 }
    #expect(log.contains(#""peer":"203.0.113.9""#))
    let head = try await server.shell("curl -si -m 2 -N $URL/ofrep/v1/flags/events | head -n 7")
    #expect(head.contains("\r\nX-Accel-Buffering: no\r\n"))
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

  @Test("A port that is taken is named with the option for another one", arguments: ["serve", "console"])
  func namesPort(command: String) async throws {
    let folder = try ToolFolder()
    let other = try await RunningServer(["f.json": Self.flags("on")], ["--flags", "f.json"])
    let port = try #require(other.url.port)
    let run = try await folder.run(command, "--port", "\(port)")
    let message = "listen at 127.0.0.1:\(port): Address already in use; --port names another port, 0 any free one"
    #expect(run == .init("flagctl: \(message)\n", 69))
    #expect(await other.end() == 0)
  }

  @Test(
    "A command line that means nothing is refused",
    arguments: [
      (["serve"], "--flags FILE is missing"), (["serve", "f"], "--flags is missing before f"),
      (["serve", "--flags", "f", "--threads", "0"], "--threads is a whole number from 1 to 64, found 0"),
      (
        ["serve", "--flags", "f", "--host", "0.0.0.0"],
        "--host 0.0.0.0 is beyond this machine: --token-file FILE or --insecure is missing"
      ),
      (
        ["serve", "--flags", "f", "--path-prefix", "flags"], "--path-prefix is a path such as /flags, found flags"
      ),
      (
        ["serve", "--flags", "f", "--trusted-proxy", "nginx"],
        "--trusted-proxy is an address or a network, such as 10.0.0.0/8, found nginx"
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
