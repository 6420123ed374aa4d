import Foundation
import TestSupport
import Testing

@Suite("The executable flagctl", .needs(.bash))
struct ExecutableTests {
  @Test(
    "A document is read from a pipe in whatever form the shell gives it",
    arguments: [
      #"cat f.json | "$FLAGCTL" validate /dev/stdin"#,
      #""$FLAGCTL" validate /dev/stdin < f.json"#,
      #""$FLAGCTL" validate <(cat f.json) | sed 's|^/dev/fd/[0-9]*|/dev/stdin|'"#,
      #"mkfifo pipe; cat f.json > pipe & "$FLAGCTL" validate pipe | sed 's|^pipe|/dev/stdin|'"#,
    ])
  func pipes(script: String) throws {
    #expect(try Shell().run(script) == Shell.Run(output: "/dev/stdin: valid\n", errors: "", status: 0))
  }

  @Test(
    "A document that is only read is read from a pipe by the commands that follow files, too",
    arguments: [
      #"cat f.json | "$FLAGCTL" get f --flags /dev/stdin"#, #"cat f.json | "$FLAGCTL" get f --flags -"#,
      #""$FLAGCTL" get f --flags <(cat f.json)"#, #"mkfifo pipe; cat f.json > pipe & "$FLAGCTL" get f --flags pipe"#,
      #"cat f.json | "$FLAGCTL" list --flags - | sed -n 's/.*f *\([0-9]\) .*/\1/p'"#,
      #""$FLAGCTL" variants f --flags <(cat f.json) | sed -n 's/^on *\([0-9]\) .*/\1/p'"#,
    ])
  func pipesToFollowers(script: String) throws {
    #expect(try Shell().run(script) == Shell.Run(output: "1\n", errors: "", status: 0))
  }

  @Test("A pipe cannot be changed")
  func refusesToChangePipes() throws {
    let run = try Shell().run(#""$FLAGCTL" create g --yes --flags <(cat f.json) 2>&1 >&- | sed 's|/[^:]*|F|'"#)
    #expect(run.output == "flagctl: F: expected a file to change, found a pipe or a device\n")
  }

  @Test("Nothing is left beside a document that was changed, for version control to show")
  func leavesNothing() throws {
    let create = #""$FLAGCTL" create g$n --yes --flags f.json > /dev/null"#
    let run = try Shell().run("for n in 1 2 3; do \(create) & done; wait; ls -A")
    #expect(run == Shell.Run(output: "f.json\n", errors: "", status: 0))
  }

  @Test("Documents come from one pipe and cases from another")
  func pipesToEvaluate() throws {
    let run = try Shell().run(#"printf '%s\n' "$CASE" | "$FLAGCTL" evaluate --flags <(cat f.json)"#)
    #expect(run.output == #"{"value":1,"variant":"on","reason":"STATIC","errorCode":null,"metadata":null}"# + "\n")
    #expect(run.errors == "" && run.status == 0)
  }

  @Test(
    "Output that cannot be written is an exit code and a sentence",
    .needs(.fullDevice),
    arguments: [
      (#""$FLAGCTL" --help > /dev/full"#, "No space left on device"),
      (#""$FLAGCTL" --help >&-"#, "Bad file descriptor"),
      (#""$FLAGCTL" validate f.json >&-"#, "Bad file descriptor"),
      (#""$FLAGCTL" validate f.json > /dev/full"#, "No space left on device"),
      (#"printf '%s\n' "$CASE" | "$FLAGCTL" evaluate --flags f.json > /dev/full"#, "No space left on device"),
      // The reader ends before the cases do: the first line opens the pipe for reading, and then closes it.
      (
        #"mkfifo p; (exec 3< p) & exec 4> p; wait; printf '%s\n' "$CASE" | "$FLAGCTL" evaluate --flags f.json >&4"#,
        "Broken pipe"
      ),
    ])
  func outputFails(script: String, reason: String) throws {
    let run = try Shell().run(script)
    #expect(
      run
        == Shell.Run(output: "", errors: "flagctl: standard output: cannot be written: \(reason)\n", status: 74))
  }

  @Test("Serving ends at SIGTERM: streams are ended, and the exit code says that all is well", .needs(.curl))
  func endsAtSignal() throws {
    let run = try Shell().run(
      """
      mkfifo out events
      "$FLAGCTL" serve --flags f.json --port 0 --access-log > out 2> log &
      server=$!
      exec 3< out
      read -u 3 url
      curl -sN "$url/flags/events" > events &
      client=$!
      exec 4< events
      read -u 4 id
      kill -TERM $server
      wait $client; echo "client: $?"
      wait $server; echo "server: $?"
      read -u 3 line; echo "$line" | sed 's/,"microseconds.*//'
      """)
    #expect(
      run
        == Shell.Run(output: "client: 0\nserver: 0\n{\"bytes\":0,\"method\":\"GET\"\n", errors: "", status: 0))
  }

  @Test("SIGHUP reads the definitions again, and ends nothing", .needs(.curl))
  func reloadsAtSignal() throws {
    let run = try Shell().run(
      """
      mkfifo out errors
      "$FLAGCTL" serve --flags f.json --port 0 --log-json > out 2> errors &
      server=$!
      exec 3< out 4< errors
      read -u 3 url
      kill -HUP $server
      grep -m 1 SIGHUP <&4 | sed 's/,"store.*//'
      curl -s -o /dev/null -w '%{http_code}\n' "$url/readyz"
      kill -TERM $server
      wait $server; echo "server: $?"
      """)
    let line = #"{"level":"info","message":"read again, as SIGHUP asks for","revision":null"#
    #expect(run == Shell.Run(output: "\(line)\n200\nserver: 0\n", errors: "", status: 0))
  }

  @Test(
    "Input that cannot be read is an exit code and a sentence",
    arguments: [
      (#""$FLAGCTL" validate gone.json"#, "gone.json: cannot be read: No such file or directory"),
      (#""$FLAGCTL" validate ."#, ".: cannot be read: Is a directory"),
      (#""$FLAGCTL" validate /dev/zero"#, "/dev/zero: cannot be read: it has more than 268435456 bytes"),
      (#""$FLAGCTL" evaluate --flags f.json --cases gone"#, "gone: cannot be read: No such file or directory"),
      (#""$FLAGCTL" evaluate --flags f.json <&-"#, "standard input: cannot be read: Bad file descriptor"),
      (
        #""$FLAGCTL" evaluate --flags f.json --cases /dev/zero"#,
        "line 1: more than 4194304 bytes; neither it nor what follows was evaluated"
      ),
    ])
  func inputFails(script: String, message: String) throws {
    #expect(try Shell().run(script) == Shell.Run(output: "", errors: "flagctl: \(message)\n", status: 1))
  }
}

/// A shell in a folder of its own, with a document and a case for it.
private struct Shell: ~Copyable {
  private let folder: URL

  struct Run: Equatable {
    let output: String
    let errors: String
    let status: Int32
  }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "flagctl-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let document = #"{"flags": {"f": {"state": "ENABLED", "variants": {"on": 1}, "defaultVariant": "on"}}}"#
    try Data(document.utf8).write(to: folder.appending(path: "f.json"))
  }

  deinit {
    do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) }
  }

  func run(_ script: String) throws -> Run {
    let run = try ChildProcess.run(
      try InstalledProgram.require("bash"), ["-c", script], in: folder,
      environment: [
        "FLAGCTL": try BuildFolder.product("flagctl").path, "CASE": #"{"flagKey": "f", "type": "integer"}"#,
        "PATH": InstalledProgram.path, "LC_ALL": "C",
      ])
    return Run(output: run.output, errors: run.errors, status: run.status)
  }
}
