import FlagCLI
import Testing

@Suite("Usage of flagctl")
struct UsageTests {
  @Test(
    "A command line that means nothing ends with code 64 and one line that helps",
    arguments: [
      ([], "a command is missing; see flagctl --help"),
      (
        ["compare"],
        "compare is not one of the commands validate, evaluate, explain, expired, serve, console, list, get, set, clear, "
          + "make, copy, rename, variants, retire, delete, diff, convert, check, references, publish, stage, rollback, promote, schedule, history, pull, fleet, prune, analyze, simulate, completions; see flagctl --help"
      ),
      (["completions"], "a shell is missing: one of bash, zsh; see flagctl completions --help"),
      (
        ["completions", "tcsh"],
        "expected one of the shells bash, zsh, found tcsh; see flagctl completions --help"
      ),
      (["completions", "zsh", "bash"], "unknown argument bash; see flagctl completions --help"),
      (["diff"], "an OLD document is missing; see flagctl diff --help"),
      (["diff", "a"], "a NEW document is missing; see flagctl diff --help"),
      (["diff", "a", "b", "--by=plan"], "--by needs users: --attributes FILE; see flagctl diff --help"),
      (["diff", "a", "b", "c"], "unknown argument c; see flagctl diff --help"),
      (
        ["diff", "a", "b", "--steps=-1"],
        "--steps is a whole number from 0 to 100000000000, found -1; see flagctl diff --help"
      ),
      (
        ["diff", "a", "b", "--steps=1", "--steps", "2"],
        "--steps has one value, found a second one; see flagctl diff --help"
      ),
      (
        ["list", "--overrides=a", "--overrides=a", "--flags=f"],
        "--overrides has one value, found a second one; see flagctl list --help"
      ),
      (["check", "a"], "--catalog FILE is missing; see flagctl check --help"),
      (["check", "--catalog=a"], "a FILE is missing; see flagctl check --help"),
      (
        ["check", "--catalog=a", "b", "--allow=all"],
        "--allow is unknown-key or missing-key or type-mismatch or unknown-case or expired, found all; "
          + "see flagctl check --help"
      ),
      (["serve", "--etcd=e"], "--set NAME is missing; see flagctl serve --help"),
      (
        ["serve", "--etcd=e", "--set=s", "--flags=f"],
        "--flags FILE or sets in etcd are enough, found both; see flagctl serve --help"
      ),
      (["serve", "--etcd=e", "--set=s", "--set=s"], "each set is named once, found s, s; see flagctl serve --help"),
      (
        ["serve", "--flags=f", "--server=a"],
        "--server NAME is for sets in etcd, found --flags f; see flagctl serve --help"
      ),
      (
        ["console", "--etcd=e", "--set=s", "--flags=f"],
        "--flags FILE or a set in etcd is enough, found both; see flagctl console --help"
      ),
      (["console", "--set=s"], "--etcd URL is missing; see flagctl console --help"),
      (["publish", "f"], "--etcd URL is missing; see flagctl publish --help"),
      (["publish", "--etcd=e", "f"], "--set NAME is missing; see flagctl publish --help"),
      (["publish", "--etcd=e", "--set=s"], "a FILE is missing; see flagctl publish --help"),
      (
        ["publish", "--etcd=e", "--set=s", "f", "g"],
        "one FILE is enough, found g as well; see flagctl publish --help"
      ),
      (
        ["publish", "--etcd=e", "--set=s", "--set=t", "f"],
        "one set is enough, found t beside s; see flagctl publish --help"
      ),
      (
        ["publish", "--etcd=e", "--set=a/b", "f"],
        "--set is a name of visible characters of ASCII without a slash, found a/b; see flagctl publish --help"
      ),
      (
        ["publish", "--etcd=e", "--set=s", "f", "--percent=0"],
        "--percent is a whole number from 1 to 100, found 0; see flagctl publish --help"
      ),
      (["prune", "--etcd=e", "--set=s"], "--keep NUMBER is missing; see flagctl prune --help"),
      (
        ["serve", "--flags=f", "--cache=d"],
        "--cache DIR is for sets in etcd, found --flags f; see flagctl serve --help"
      ),
      (
        ["fleet", "--etcd=e", "--set=s", "--etcd-timeout=0"],
        "--etcd-timeout is a number of seconds above 0 and up to 86400, found 0; see flagctl fleet --help"
      ),
      (["stage", "--etcd=e", "--set=s"], "--percent NUMBER is missing; see flagctl stage --help"),
      (["rollback", "--etcd=e", "--set=s"], "--to REVISION is missing; see flagctl rollback --help"),
      (["promote", "--etcd=e", "--from=s"], "--to SET is missing; see flagctl promote --help"),
      (["promote", "--etcd=e", "--to=s"], "--from SET is missing; see flagctl promote --help"),
      (
        ["promote", "--etcd=e", "--from=s", "--to=s"],
        "--from and --to are two sets, found s for both; see flagctl promote --help"
      ),
      (
        ["promote", "--etcd=e", "--set=s"],
        "--from SET and --to SET name the sets, found --set; see flagctl promote --help"
      ),
      (["history", "--etcd=e", "--set=s", "x"], "unknown argument x; see flagctl history --help"),
      (["list"], "--flags FILE is missing; see flagctl list --help"),
      (["get", "--flags=f"], "a FLAG is missing; see flagctl get --help"),
      (["set", "--flags=f", "a", "1"], "--overrides FILE is missing; see flagctl set --help"),
      (["set", "--flags=f", "--overrides=o", "a"], "a VALUE is missing; see flagctl set --help"),
      (["clear", "--flags=f", "--overrides=o", "a", "b"], "unknown argument b; see flagctl clear --help"),
      (
        ["list", "--flags=f", "--flags=g"],
        "one document is enough, found g beside f; see flagctl list --help"
      ),
      (
        ["console", "--flags=f", "--flags=g"],
        "several documents are given as --flags NAME=FILE, found f; see flagctl console --help"
      ),
      (
        ["console", "--flags=a=f", "--flags=a=g"],
        "each environment is named once, found a twice; see flagctl console --help"
      ),
      (
        ["console", "--flags=a=f", "--flags=b=g", "--overrides=o"],
        "--overrides FILE is for one document, found several environments; see flagctl console --help"
      ),
      (
        ["console", "--flags=a=f", "--flags=b/c=g"],
        "expected the name of an environment, of at most 64 letters, digits and -._, found “b/c”; "
          + "see flagctl console --help"
      ),
      (
        ["console", "--flags=f", "--user", "{}"],
        "--user has the user's id as \"targetingKey\", found {}; see flagctl console --help"
      ),
      (["validate"], "a FILE is missing; see flagctl validate --help"),
      (["validate", "--all"], "unknown option --all; see flagctl validate --help"),
      (["validate", "--strict=yes", "f"], "--strict takes no value; see flagctl validate --help"),
      (["evaluate"], "--flags FILE is missing; see flagctl evaluate --help"),
      (["evaluate", "--flags"], "--flags needs a value; see flagctl evaluate --help"),
      (["evaluate", "--flags", "f", "x"], "unknown argument x; see flagctl evaluate --help"),
      (
        ["evaluate", "--flags=f", "--bucketing", "v1"], "--bucketing is v2 or v3, found v1; see flagctl evaluate --help"
      ),
      (
        ["evaluate", "--flags=f", "--timestamp=now"],
        "--timestamp is a time such as 2027-01-15T08:00:00Z, or a number of seconds since 1970, found now; "
          + "see flagctl evaluate --help"
      ),
      (["explain", "--flags", "f"], "a FLAG is missing; see flagctl explain --help"),
      (["explain", "--flags", "f", "a", "b"], "one FLAG is enough, found b as well; see flagctl explain --help"),
    ] as [([String], String)])
  func errors(words: [String], message: String) {
    #expect(Transcript(words) == Transcript(errors: "flagctl: \(message)\n", exitCode: 64))
  }

  @Test("Words after two dashes are no options, and negative numbers are none")
  func endsOptions() {
    let files = ["f": #"{"flags": {"--help": {}, "-1": {}}}"#]
    for key in ["--help", "-1"] {
      let run = Transcript("explain", "--flags=f", "--", key, files: files)
      #expect(run.exitCode == 1 && run.output.hasPrefix("flag: \(key)\n"), "\(run)")
    }
    #expect(Transcript("explain", "--flags=f", "-1", files: files).output.hasPrefix("flag: -1\n"))
    let unknown = Transcript("explain", "--flags=f", "-1x", files: files)
    #expect(unknown.errors == "flagctl: unknown option -1x; see flagctl explain --help\n")
  }

  @Test(
    "Help is given for the tool and for each command",
    arguments: [
      ["--help"], ["-h"], ["validate", "--help"], ["evaluate", "--flags", "f", "--help"], ["explain", "-h"],
      ["expired", "--help"], ["serve", "--help"], ["analyze", "--help"], ["simulate", "--help"], ["console", "--help"],
      ["list", "-h"], ["get", "-h"], ["set", "-h"], ["clear", "-h"],
      ["make", "-h"], ["copy", "-h"], ["rename", "-h"], ["variants", "-h"], ["retire", "-h"], ["delete", "-h"],
      ["diff", "-h"], ["check", "-h"], ["publish", "-h"], ["stage", "-h"], ["rollback", "-h"], ["promote", "-h"],
      ["history", "-h"], ["schedule", "-h"], ["pull", "-h"], ["fleet", "-h"], ["prune", "-h"], ["completions", "-h"],
    ])
  func help(words: [String]) {
    let transcript = Transcript(words)
    #expect(transcript.exitCode == 0 && transcript.errors.isEmpty)
    #expect(transcript.output.split(separator: "\n").allSatisfy { $0.count <= 120 })
    #expect(transcript.output.contains("usage: flagctl \(words[0].hasPrefix("-") ? "COMMAND" : words[0])"))
  }
}
