import FlagCLI
import Testing

@Suite("Usage of flagctl")
struct UsageTests {
  @Test(
    "A command line without a command ends with code 64, and with the command that may be meant",
    arguments: [
      ([], "a command is missing; see flagctl help"), (["compare"], "compare is no command; see flagctl help"),
      (["lsit"], "lsit is no command: did you mean list?; see flagctl help"),
      (["rollback"], "rollback is no command: did you mean restore?; see flagctl help"),
      (["help", "enable"], "enable is no command: did you mean on?; see flagctl help"),
    ] as [([String], String)])
  func refusesCommands(words: [String], message: String) {
    #expect(Transcript(words) == Transcript(errors: "flagctl: \(message)\n", exitCode: 64))
  }

  @Test(
    "A command line that means nothing ends with code 64 and one line that helps",
    arguments: [
      (["completions"], "a shell is missing: one of bash, zsh"),
      (["completions", "tcsh"], "expected one of the shells bash, zsh, found tcsh"),
      (["completions", "zsh", "bash"], "unknown argument bash"),
      (["diff"], "an OLD document is missing"),
      (["diff", "a"], "a NEW document is missing"),
      (["diff", "a", "b", "--by=plan"], "--by needs users: --attributes FILE"),
      (["diff", "a", "b", "c"], "unknown argument c"),
      (["diff", "a", "b", "--steps=-1"], "--steps is a whole number from 0 to 100000000000, found -1"),
      (["diff", "a", "b", "--steps=1", "--steps", "2"], "--steps has one value, found a second one"),
      (["list", "--overrides=a", "--overrides=a", "--flags=f"], "--overrides has one value, found a second one"),
      (["check", "--catalog=a"], "a FILE is missing"),
      (
        ["check", "--catalog=a", "b", "--allow=all"],
        "--allow is unknown-key or missing-key or type-mismatch or unknown-case or expired, found all"
      ),
      (["serve", "--etcd=e"], "--set NAME is missing"),
      (["serve", "--etcd=e", "--set=s", "--flags=f"], "--flags FILE or sets in etcd are enough, found both"),
      (["serve", "--etcd=e", "--set=s", "--set=s"], "each set is named once, found s, s"),
      (["serve", "--flags=f", "--server=a"], "--server NAME is for sets in etcd, found --flags f"),
      (["console", "--etcd=e", "--set=s", "--flags=f"], "--flags FILE or a set in etcd is enough, found both"),
      (["console", "--set=s"], "--etcd URL is missing"),
      (["publish", "f"], "--etcd URL is missing"),
      (["publish", "--etcd=e", "f"], "--set NAME is missing"),
      (["publish", "--etcd=e", "--set=s"], "a FILE is missing"),
      (["publish", "--etcd=e", "--set=s", "f", "g"], "one FILE is enough, found g as well"),
      (["publish", "--etcd=e", "--set=s", "--set=t", "f"], "one set is enough, found t beside s"),
      (
        ["publish", "--etcd=e", "--set=a/b", "f"],
        "--set is a name of visible characters of ASCII without a slash, found a/b"
      ),
      (["publish", "--etcd=e", "--set=s", "f", "--percent=0"], "--percent is a whole number from 1 to 100, found 0"),
      (["prune", "--etcd=e", "--set=s"], "--keep NUMBER is missing"),
      (["serve", "--flags=f", "--cache=d"], "--cache DIR is for sets in etcd, found --flags f"),
      (
        ["fleet", "--etcd=e", "--set=s", "--etcd-timeout=0"],
        "--etcd-timeout is a number of seconds above 0 and up to 86400, found 0"
      ),
      (["stage", "--etcd=e", "--set=s"], "--percent NUMBER is missing"),
      (["restore", "--etcd=e", "--set=s"], "a REVISION is missing"),
      (["restore", "x", "--etcd=e", "--set=s"], "REVISION is a whole number from 1 to \(Int.max), found x"),
      (["promote", "--etcd=e", "--from=s"], "--to SET is missing"),
      (["promote", "--etcd=e", "--to=s"], "--from SET is missing"),
      (["promote", "--etcd=e", "--from=s", "--to=s"], "--from and --to are two sets, found s for both"),
      (["promote", "--etcd=e", "--set=s"], "--from SET and --to SET name the sets, found --set"),
      (["history", "--etcd=e", "--set=s", "x"], "unknown argument x"),
      (["list"], "--flags FILE is missing"),
      (["get", "--flags=f"], "a FLAG is missing"),
      (["set", "--flags=f", "a", "1"], "--overrides FILE is missing"),
      (["set", "--flags=f", "--overrides=o", "a"], "a VALUE is missing"),
      (["clear", "--flags=f", "--overrides=o", "a", "b"], "unknown argument b"),
      (["list", "--flags=f", "--flags=g"], "one document is enough, found g beside f"),
      (["console", "--flags=f", "--flags=g"], "several documents are given as --flags NAME=FILE, found f"),
      (["console", "--flags=a=f", "--flags=a=g"], "each environment is named once, found a twice"),
      (
        ["console", "--flags=a=f", "--flags=b=g", "--overrides=o"],
        "--overrides FILE is for one document, found several environments"
      ),
      (
        ["console", "--flags=a=f", "--flags=b/c=g"],
        "expected the name of an environment, of at most 64 letters, digits and -._, found “b/c”"
      ),
      (
        ["console", "--flags=f", "--user", "{}"], "--user has the user's id, as id=ana or as \"targetingKey\", found {}"
      ),
      (
        ["console", "--flags=f", "--user-header=X-Forwarded-Email"],
        "--trusted-proxy ADDRESS is missing: any client could write the field"
      ),
      (
        ["console", "--flags=f", "--user-header=X-Email", "--trusted-proxy=10.0.0.0/8"],
        "--origin URL is missing: the address at which browsers find the pages"
      ),
      (["console", "--flags=f", "--host=0.0.0.0"], "--host HOST is for --user-header NAME: who signs people in?"),
      (
        ["console", "--flags=f", "--user-header=X Email"],
        "--user-header is the name of a header field, such as X-Forwarded-Email, found X Email"
      ),
      (["validate"], "a FILE is missing"),
      (["validate", "--all"], "unknown option --all"),
      (["validate", "--strict=yes", "f"], "--strict takes no value"),
      (["evaluate"], "--flags FILE is missing"),
      (["evaluate", "--flags"], "--flags needs a value"),
      (["evaluate", "--flags", "f", "x"], "unknown argument x"),
      (["evaluate", "--flags=f", "--bucketing", "v1"], "--bucketing is v2 or v3, found v1"),
      (
        ["evaluate", "--flags=f", "--timestamp=now"],
        "--timestamp is a time such as 2027-01-15T08:00:00Z, a day, or a number of seconds since 1970, found now"
      ),
      (["explain", "--flags", "f"], "a FLAG is missing"),
      (["explain", "--falgs", "f"], "unknown option --falgs: did you mean --flags?"),
      (["share", "a", "--flags=f"], "a VARIANT=PERCENT is missing"),
      (["share", "a", "on", "--flags=f"], "expected a variant and its percentage, such as on=10, found on"),
      (["explain", "--flags", "f", "a", "b"], "one FLAG is enough, found b as well"),
    ] as [([String], String)])
  func errors(words: [String], message: String) {
    let help = "see flagctl \(words[0]) --help"
    #expect(Transcript(words) == Transcript(errors: "flagctl: \(message); \(help)\n", exitCode: 64))
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
      ["serve", "--help"], ["analyze", "--help"], ["simulate", "--help"], ["console", "--help"],
      ["list", "-h"], ["get", "-h"], ["set", "-h"], ["clear", "-h"],
      ["create", "-h"], ["on", "-h"], ["off", "-h"], ["default", "-h"], ["share", "-h"], ["copy", "-h"],
      ["rename", "-h"], ["variants", "-h"], ["retire", "-h"], ["delete", "-h"],
      ["diff", "-h"], ["check", "-h"], ["publish", "-h"], ["stage", "-h"], ["restore", "-h"], ["promote", "-h"],
      ["history", "-h"], ["schedule", "-h"], ["pull", "-h"], ["fleet", "-h"], ["prune", "-h"], ["completions", "-h"],
    ])
  func help(words: [String]) {
    let transcript = Transcript(words)
    #expect(transcript.exitCode == 0 && transcript.errors.isEmpty)
    #expect(transcript.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(transcript.output.contains("usage: flagctl \(words[0].hasPrefix("-") ? "COMMAND" : words[0])"))
    if !words[0].hasPrefix("-") {
      #expect(transcript == Transcript("help", words[0]))
      #expect(transcript.output.contains("\nexample: flagctl \(words[0]) "))
    }
  }

  @Test("Help fits a terminal of 24 lines, and has a page for what many commands have; the version is the package's")
  func fits() {
    let help = Transcript("help")
    #expect(
      help == Transcript("--help") && help.output.split(separator: "\n", omittingEmptySubsequences: false).count <= 24)
    let page = Transcript("help", "options").output
    #expect(page.contains("--etcd-timeout") && page.contains("exit codes:") && page.contains("FLAGCTL_FLAGS"))
    #expect(page.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(Transcript("--version") == Transcript(output: "flagctl 1.0.0\n"))
  }
}
