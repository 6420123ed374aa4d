import Foundation
import Testing

@Suite("Facts in guides")
struct FactTests {
  @Test("A guide says the numbers of the code", arguments: Fact.table)
  func agrees(fact: Fact) throws {
    let said = try fact.numbers(matching: fact.sentence, in: [fact.guide])
    let files =
      fact.source.hasSuffix(".swift") ? [fact.source] : try Repository.swiftFiles(under: fact.source).map(\.path)
    #expect(try said == fact.numbers(matching: fact.code, in: files) && !said.isEmpty)
  }

  @Test("The guide to the format lists the exit codes")
  func listsExitCodes() throws {
    let guide = try SourceFile(path: "Docs/DefinitionFormat.md").text
    let table = guide.components(separatedBy: "| exit code |").last?.components(separatedBy: "\n\n")[0] ?? ""
    let code = try SourceFile(path: Repository.path("FlagCLI/Terminal/ToolError.swift")).text
    let cases = code.components(separatedBy: "enum ExitCode").last?.components(separatedBy: "\n}")[0] ?? ""
    #expect(table.matches(of: /\n\| (\d+) \|/).map(\.1) == cases.matches(of: /case \w+ = (\d+)/).map(\.1))
  }

  @Test("A server has a loop of sockets for each thread, as the guide says")
  func countsLoops() throws {
    #expect(try SourceFile(path: "Docs/Architecture.md").text.contains("a loop of sockets for each thread"))
    let code = try SourceFile(path: Repository.path("FlagServer/HTTPServer.swift")).text
    #expect(code.contains("for _ in 0..<max(1, threads) { mailboxes.append"))
    #expect(code.firstMatch(of: /for mailbox in mailboxes \{(?s:.*)SystemThread\.start(?s:.*)EventLoop\(/) != nil)
  }

  @Test("A manager of a request is one allocation and its user another one, in guides and limits")
  func countsAllocations() throws {
    for (guide, sentence) in [
      ("UsersAndServers", "It is one allocation, the user another one"),
      ("Performance", "one allocation for the manager and one for the user"),
    ] {
      let text = try SourceFile(path: "Docs/\(guide).md").text.replacing(/\s+/, with: " ")
      #expect(text.contains(sentence), "\(guide)")
    }
    let limits = try SourceFile(path: Repository.path("FlagBenchmarks/Limit.swift")).text
    #expect(limits.contains(#"atMost(2.01, .allocations, of: "request.five-flags")"#))
  }

  @Test("Times in nanoseconds are in one guide, so that no other contradicts it")
  func timesOnce() throws {
    for path in try Repository.proseFiles() where path != "Docs/Performance.md" {
      #expect(try SourceFile(path: path).text.firstMatch(of: /\d ns\b/) == nil, "\(path)")
    }
  }

  @Test("The guide for servers names every store of definitions")
  func listsStores() throws {
    let stores = try Repository.swiftFiles(under: "Sources").flatMap { file in
      try file.text.matches(of: /(?m)^public final class (\w+Store): Definition(?:Store|History)\b/).map {
        String($0.1)
      }
    }
    let names = [
      "FileDefinitionStore": "[file that is followed]", "HTTPDefinitionStore": "[a URL]",
      "EtcdDefinitionStore": "[etcd]", "InMemoryDefinitionStore": "memory",
      "MergedDefinitionStore": "several of these merged",
    ]
    #expect(Set(stores) == Set(names.keys))
    let guide = try SourceFile(path: "Docs/UsersAndServers.md").text
    let sentence = guide.components(separatedBy: "- **Definitions** come from").last?.components(separatedBy: "\n- ")[0]
    for name in names.values { #expect(sentence?.contains(name) == true, "\(name)") }
  }

  @Test("The first guide lists the settings of a client")
  func listsSettings() throws {
    let code = try SourceFile(path: "Sources/FlagComposition/Client/FeatureFlagClient.Configuration.swift").text
    let guide = try SourceFile(path: "Docs/GettingStarted.md").text
    let table = guide.components(separatedBy: "| setting |").last?.components(separatedBy: "\n\n")[0] ?? ""
    let listed = table.matches(of: /(?m)^\| `(\w+)` \|/).map { String($0.1) }
    #expect(Set(listed) == Set(code.matches(of: /public var (\w+)/).map { String($0.1) }))
  }

  @Test("The README lists the products")
  func listsProducts() throws {
    let readme = try SourceFile(path: "README.md").text
    let rows = readme.components(separatedBy: "## Add it").last?.split(separator: "\n").filter { $0.hasPrefix("| `") }
    let manifest = try SourceFile(path: "Package.swift").text
    let products = manifest.matches(of: /\.(library|executable)\(\s*name: "(\w+)"/).map { String($0.2) }
    let named = (rows ?? []).flatMap { String($0.split(separator: "|")[0]).codeNames }
    #expect(Set(named) == Set(products) && named.count == products.count)
  }
}

/// Numbers that a guide repeats from the code, which both say by a pattern with a group for each.
struct Fact: CustomTestStringConvertible, Sendable {
  let guide: String
  let sentence: String
  /// A file, or a folder of which one file has the numbers.
  let source: String
  let code: String

  var testDescription: String { "\(guide): \(sentence)" }

  /// Returns the groups of the first match, without separators of thousands.
  func numbers(matching pattern: String, in files: [String]) throws -> [String] {
    let regex = try Regex(pattern).dotMatchesNewlines()
    for file in files {
      var text = try SourceFile(path: file).text
      // A guide's lines are wrapped anywhere.
      if file.hasSuffix(".md") { text = text.replacing(/\s+/, with: " ") }
      guard let match = text.firstMatch(of: regex) else { continue }
      return match.output.dropFirst().map { ($0.substring ?? "").filter { $0 != "," && $0 != "_" } }
    }
    return []
  }

  private init(_ guide: String, _ sentence: String, _ source: String, _ code: String) {
    (self.guide, self.sentence, self.source, self.code) = ("Docs/\(guide).md", sentence, Repository.path(source), code)
  }
}

extension Fact {
  static let table = limits + services + servers + experiments + flags

  private static let limits =
    [
      (#"bytes of a document \| (\d+) MiB"#, #"documentBytes = (\d+) << 20"#),
      (#"diagnostics of a loaded document \| (\d+)"#, #"diagnostics = (\d+)"#),
      (#"of a rule, with its evaluators \| (\d+) levels"#, #"levels = (\d+)"#),
      (#"evaluators at each use \| ([\d,]+)"#, #"operators = ([\d_]+)"#),
      (#"that are reached \| ([\d,]+) \|"#, #"let steps = ([\d_]+)"#),
      (#"`reduce` makes \| (\d+)"#, #"nesting = (\d+)"#), (#"becomes a string \| (\d+)"#, #"textLevels = (\d+)"#),
      (#"value to hash \| (\d+)"#, #"bucketLevels = (\d+)"#),
      (
        #"loading \| (\d+) steps, ([\d,]+) bytes read, (\d+) bytes"#,
        #"foldingSteps = (\d+).*foldingBytes = ([\d_]+).*foldedText = (\d+)"#
      ),
      (
        #"explanation \| ([\d,]+) steps, (\d+) MiB, ([\d,]+) bytes"#,
        #"explainedSteps = ([\d_]+).*explainedBytes = (\d+) << 20.*explainedValue = ([\d_]+)"#
      ),
    ].map { Fact("DefinitionFormat", $0.0, "FlagDefinitions/Rules", $0.1) } + [
      Fact("DefinitionFormat", #"marks in a row \| (\d+)"#, "FlagJSON", #"maximumMarks = (\d+)"#),
      Fact("DefinitionFormat", #"metadata \| (\d+) levels"#, "FlagJSON", #"maximumDepth = (\d+)"#),
      Fact("DefinitionFormat", #"`--steps` steps \(([\d,]+)"#, "FlagReview", #"usualSteps = ([\d_]+)"#),
      Fact("DefinitionFormat", #"most frequent values, at most (\d+)"#, "FlagReview", #"maximumValues = (\d+)"#),
      Fact("Console", #"at most (\d+) MiB"#, "FlagConsole", #"maximumImport = (\d+) << 20"#),
    ]

  private static let services = [
    Fact("RemoteServicesAndServing", #"every (\d+) s"#, "FlagRemote", #"polling: Duration\? = \.seconds\((\d+)\)"#),
    Fact(
      "RemoteServicesAndServing", #"no byte for (\d+) s"#, "FlagRemote", #"var timeout = Duration.seconds\((\d+)\)"#),
    Fact("RemoteServicesAndServing", #"more than (\d+) MiB"#, "FlagRemote", #"sizeLimit = (\d+) << 20"#),
    Fact("RemoteServicesAndServing", #"nothing for (\d+) s"#, "FlagServices", #"inactivity \?\? \.seconds\((\d+)\)"#),
    Fact(
      "RemoteServicesAndServing", #"403 \| after (\d+) to"#, "FlagServices", #"refusedDelay = Duration.seconds\((\d+)"#
    ),
    Fact(
      "RemoteServicesAndServing", #"at most (\d+) minutes"#, "FlagServices",
      #"longestDelay = Duration.seconds\((\d+) \* 60"#),
    Fact(
      "RemoteServicesAndServing", #"at least (\d+) ms apart"#, "FlagServices",
      #"Interval = Duration.milliseconds\((\d+)"#),
    Fact(
      "RemoteServicesAndServing", #"jitter, from (\d+) s to (\d+) s"#, "FlagSupport",
      #"base: Duration = \.seconds\((\d+)\), cap: Duration = \.seconds\((\d+)\)"#),
    Fact("RemoteServicesAndServing", #"answer for (\d+) days"#, "FlagServices", #"seconds\((\d+) \* 86_400\)\) \{"#),
    Fact("RemoteServicesAndServing", #"more than (\d+);"#, "FlagTransport", #"redirectLimit = (\d+)"#),
    Fact(
      "Providers", #"timeouts \((\d+) s\), retries \((\d+) s to (\d+) s"#, "FlagServices/Remote",
      #"seconds\((\d+)\), initialDelay: Duration = \.seconds\((\d+)\), maximumDelay: Duration = \.seconds\((\d+)"#),
    Fact("Providers", #"looked at every (\d+) second"#, "FlagProviders", #"polling: Duration = .seconds\((\d+)\)"#),
  ]

  private static let servers = [
    Fact("RemoteServicesAndServing", #"127.0.0.1:(\d+)`"#, "FlagCLI/Serving", #"port = (\d+)"#),
    Fact("RemoteServicesAndServing", #"\| connections \| (\d+)"#, "FlagServer", #"connections = (\d+)"#),
    Fact(
      "RemoteServicesAndServing", #"\| header \| \d+ KiB, (\d+) s"#, "FlagServer",
      #"headerTime = Duration.seconds\((\d+)"#),
    Fact(
      "RemoteServicesAndServing", #"\| header \| (\d+) KiB.*\| body \| (\d+) MiB"#, "FlagHTTP",
      #"headerBytes: Int = (\d+) << 10.*body: Int = (\d+) << 20"#),
    Fact(
      "RemoteServicesAndServing", #"\| body \| \d+ MiB, (\d+) s"#, "FlagServer", #"bodyTime = Duration.seconds\((\d+)"#),
    Fact(
      "RemoteServicesAndServing", #"idle connection \| (\d+) s"#, "FlagServer", #"idleTime = Duration.seconds\((\d+)"#),
    Fact(
      "RemoteServicesAndServing", #"of a response \| (\d+) s"#, "FlagServer", #"writeTime = Duration.seconds\((\d+)"#),
    Fact(
      "RemoteServicesAndServing", #"after (\d+) s of silence"#, "FlagServer",
      #"heartbeatTime = Duration.seconds\((\d+)"#),
    Fact(
      "RemoteServicesAndServing", #"requests (\d+) s to finish"#, "FlagServer", #"stopTime = Duration.seconds\((\d+)"#),
    Fact("RemoteServicesAndServing", #"\(([\d,]+) series"#, "FlagServer", #"evaluationSeries = ([\d_]+)"#),
    Fact("RemoteServicesAndServing", #"each core, up to (\d+)"#, "FlagCLI/Serving", #"min\((\d+), ProcessInfo"#),
    Fact("Fleet", #"at most (\d+) KiB"#, "FlagFleet", #"smallSize = (\d+) << 10"#),
    Fact("Fleet", #"a text, at most (\d+) KiB"#, "FlagFleet", #"chunkSize = (\d+) << 10"#),
    Fact("Fleet", #"under a lease of (\d+) s"#, "FlagFleet", #"reportLifetime = Duration.seconds\((\d+)"#),
    Fact("Fleet", #"is absent after (\d+) s"#, "FlagFleet", #"reportLifetime = Duration.seconds\((\d+)"#),
    Fact("Fleet", #"document \| (\d+) MiB"#, "FlagFleet", #"sizeLimit = (\d+) << 20"#),
    Fact("Fleet", #"left after (\d+) s \(`idleLimit`\)"#, "FlagFleet", #"idleLimit = Duration.seconds\((\d+)"#),
    Fact("Fleet", #"retries for (\d+) s"#, "FlagFleet", #"var timeout = Duration.seconds\((\d+)"#),
  ]

  private static let experiments = [
    Fact("Experiments", #"within (\d+) s \(`options.window`\)"#, "FlagTracking", #"window = Duration.seconds\((\d+)"#),
    Fact(
      "Experiments", #"for at most (\d+) seconds \(`interval`\)"#, "FlagTracking",
      #"interval = Duration.seconds\((\d+)"#),
    Fact("Experiments", #"there are (\d+) \(`batchEvents`\)"#, "FlagTracking", #"batchEvents = (\d+)"#),
    Fact("Experiments", #"backlog up to \| (\d+) \|"#, "FlagTracking", #"maximumBatchEvents = (\d+)"#),
    Fact("Experiments", #"backlog up to \| \d+ \| (\d+)"#, "FlagTracking", #"options.maximumBatchEvents = (\d+)"#),
    Fact("Experiments", #"wait in memory \| ([\d,]+) \|"#, "FlagTracking", #"var bufferEvents = ([\d_]+)"#),
    Fact("Experiments", #"wait in memory \| [\d,]+ \| ([\d,]+)"#, "FlagTracking", #"options.bufferEvents = ([\d_]+)"#),
    Fact("Experiments", #"in memory without one \| (\d+) MiB"#, "FlagTracking", #"defaultQueueBytes = (\d+) << 20"#),
    Fact("Experiments", #"tvOS (\d+) KiB"#, "FlagTracking", #"defaultQueueBytes = (\d+) << 10"#),
    Fact("Experiments", #"tvOS \d+ KiB \| (\d+) MiB"#, "FlagTracking", #"options.queueBytes = (\d+) << 20"#),
    Fact("Experiments", #"at least (\d+) bytes long"#, "FlagTracking", #"count < (\d+) \{"#),
  ]

  private static let flags = [
    Fact("DeclaringAndReading", #"1 to ([\d,]+) bytes"#, "FlagDomain/Flags", #"maximumLength = ([\d_]+)"#),
    Fact("Performance", #"one of (\d+) numbers"#, "FlagComposition/Cached", #"static let limit = (\d+)"#),
    Fact(
      "Performance", #"`request.five-flags`[^|]*\|[^|]*\|[^|]*\| (\d+) \|"#, "FlagBenchmarks",
      #"atMost\((\d+)\.01, \.allocations, of: "request.five-flags""#),
  ]
}
