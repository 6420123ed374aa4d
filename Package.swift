// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// Apple's platforms alone want to be told which interfaces of theirs a target uses.
#if os(macOS)
  let isOnApple = true
#else
  let isOnApple = false
#endif

let package = Package(
  name: "swift-feature-flags",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    // What an app adds, and what its feature modules add. Each is several modules, which are imported by their names.
    .library(name: "FeatureFlags", targets: ["FlagComposition", "FlagDomain", "FlagMacros", "FlagProviders"]),
    .library(name: "FlagDomain", targets: ["FlagDomain", "FlagMacros"]),

    // What some apps, servers and tests add besides.
    .library(name: "FlagDefinitions", targets: ["FlagDefinitions"]),
    .library(name: "FlagReview", targets: ["FlagReview"]),
    .library(name: "FlagRemote", targets: ["FlagRemote"]),
    .library(name: "FlagFleet", targets: ["FlagFleet"]),
    .library(name: "FlagGrowthBook", targets: ["FlagGrowthBook"]),
    .library(name: "FlagLaunchDarkly", targets: ["FlagLaunchDarkly"]),
    .library(name: "FlagTracking", targets: ["FlagEvents", "FlagTracking"]),
    .library(name: "FlagStatistics", targets: ["FlagStatistics"]),
    .library(name: "FlagConsole", targets: ["FlagConsole"]),
    .library(name: "FlagConsoleWeb", targets: ["FlagConsoleWeb"]),
    .library(name: "FlagConsoleUI", targets: ["FlagConsoleUI"]),
    .library(name: "FlagSwiftUI", targets: ["FlagSwiftUI"]),
    .library(name: "FlagTesting", targets: ["FlagTesting"]),
    .library(name: "FlagDefinitionsTesting", targets: ["FlagDefinitionsTesting"]),
    .library(name: "FlagMocks", targets: ["FlagMocks"]),
    .executable(name: "flagctl", targets: ["flagctl"]),
  ],
  targets: [
    // The domain: vocabulary and ports. It imports nothing of ours, and no Foundation.
    .target(name: "FlagDomain"),

    // Declaring by macro. The plugin runs in the compiler alone, and is one line over a library that has the tests. If
    // a test target asks for a macro itself, SwiftPM builds all tests, and all that they use, twice.
    .target(name: "FlagMacros", dependencies: ["FlagDomain", "FlagMacrosPlugin"]),
    .macro(name: "FlagMacrosPlugin", dependencies: ["FlagMacroExpansion"]),
    .target(name: "FlagMacroExpansion", dependencies: ["FlagSyntax"]),
    // Swift's grammar as far as flags need it, for the plugin and for tools.
    .target(name: "FlagSyntax"),

    // Feature modules, as an app would have them.
    .target(name: "SettingsFlags", dependencies: ["FlagDomain"]),
    .target(name: "FeedFlags", dependencies: ["FlagDomain", "FlagMacros"]),

    // What adapters and tools share: files, JSON text, and the in-house format, evaluated here.
    .target(
      name: "FlagFiles", dependencies: ["FlagDomain"], exclude: isOnApple ? [] : ["PrivacyInfo.xcprivacy"],
      resources: isOnApple ? [.process("PrivacyInfo.xcprivacy")] : []),
    .target(name: "FlagJSON", dependencies: ["FlagDomain"]),
    // Regular expressions of vendors' documents, in linear time. It imports nothing of ours, and no Foundation.
    .target(name: "FlagPatterns"),
    .target(name: "FlagDefinitions", dependencies: ["FlagDomain", "FlagJSON"]),
    // What tools and the console ask of definitions, and apps and servers do not.
    .target(name: "FlagReview", dependencies: ["FlagDefinitions", "FlagDomain", "FlagJSON"]),

    // Adapters: where values come from.
    .target(
      name: "FlagProviders", dependencies: ["FlagDefinitions", "FlagDomain", "FlagFiles", "FlagJSON"],
      exclude: isOnApple ? [] : ["PrivacyInfo.xcprivacy"],
      resources: isOnApple ? [.process("PrivacyInfo.xcprivacy")] : []),

    // The wire: what both of its sides share, as pure values, and a small server. They import no Foundation.
    .target(name: "FlagHTTP", dependencies: ["FlagDomain"]),
    .target(name: "FlagServer", dependencies: ["FlagDefinitions", "FlagDomain", "FlagHTTP", "FlagJSON"]),

    // The client's side: over URLSession or libcurl, whose functions are in C, and the adapters of real services.
    .target(name: "FlagCurl"),
    .target(name: "FlagTransport", dependencies: ["FlagCurl", "FlagDomain", "FlagHTTP"]),
    .target(
      name: "FlagRemote",
      dependencies: [
        "FlagDefinitions", "FlagDomain", "FlagHTTP", "FlagJSON", "FlagProviders", "FlagTransport",
      ]),

    // Definitions that are published to many servers, on etcd.
    .target(
      name: "FlagFleet",
      dependencies: [
        "FlagDefinitions", "FlagDomain", "FlagHTTP", "FlagJSON", "FlagProviders", "FlagRemote", "FlagTransport",
      ]),

    // Vendors whose documents are evaluated here.
    .target(
      name: "FlagGrowthBook",
      dependencies: [
        "FlagDefinitions", "FlagDomain", "FlagHTTP", "FlagJSON", "FlagPatterns", "FlagProviders", "FlagRemote",
      ]),
    .target(
      name: "FlagLaunchDarkly",
      dependencies: [
        "FlagDefinitions", "FlagDomain", "FlagHTTP", "FlagJSON", "FlagPatterns", "FlagProviders", "FlagRemote",
      ]),

    // The composition root: orders the adapters, hands back ports; and in C, a word for each thread.
    .target(name: "FlagThreads"),
    .target(name: "FlagComposition", dependencies: ["FlagDomain", "FlagThreads"]),

    // Flags in views. Where there is no SwiftUI, it is empty.
    .target(name: "FlagSwiftUI", dependencies: ["FlagDomain"]),

    // Browsers of flags: the model, its pages, and its views, which are empty where there is no SwiftUI.
    .target(name: "FlagConsole", dependencies: ["FlagDefinitions", "FlagDomain", "FlagJSON", "FlagReview"]),
    .target(
      name: "FlagConsoleWeb",
      dependencies: ["FlagConsole", "FlagDefinitions", "FlagDomain", "FlagHTTP", "FlagReview", "FlagServer"]),
    .target(name: "FlagConsoleUI", dependencies: ["FlagConsole", "FlagDomain"]),

    // Experiments: what is written of exposures and conversions, once for all who write or read it. No Foundation.
    .target(name: "FlagEvents", dependencies: ["FlagDomain", "FlagJSON"]),
    // From counts and sums to answers. It imports nothing of ours, and no Foundation.
    .target(name: "FlagStatistics"),
    // From events to counts and sums, and from answers to reports.
    .target(
      name: "FlagAnalysis", dependencies: ["FlagDomain", "FlagEvents", "FlagFiles", "FlagJSON", "FlagStatistics"]),

    // Experiments, too: who saw what and did what, kept and sent.
    .target(
      name: "FlagTracking",
      dependencies: ["FlagDomain", "FlagEvents", "FlagFiles", "FlagHTTP", "FlagJSON", "FlagTransport"]),

    // Support for the tests of teams.
    .target(name: "FlagTesting", dependencies: ["FlagDomain"]),
    .target(name: "FlagDefinitionsTesting", dependencies: ["FlagDefinitions", "FlagDomain"]),
    // Services in memory.
    .target(name: "FlagMocks", dependencies: ["FlagDomain", "FlagJSON", "FlagProviders"]),

    // Tools. An executable is one line over a library; in C, the functions of a toolchain's index.
    // A scheme of the whole package builds all of them for phones, too, from which no manifest can keep them, since it
    // runs on the computer. So all compile there; what only a computer can do is left out in the sources.
    .target(name: "FlagIndexStore"),
    .target(
      name: "FlagCLI",
      dependencies: [
        "FlagAnalysis", "FlagComposition", "FlagConsole", "FlagConsoleWeb", "FlagDefinitions", "FlagDomain",
        "FlagEvents", "FlagFleet", "FlagGrowthBook", "FlagHTTP", "FlagIndexStore", "FlagJSON", "FlagLaunchDarkly",
        "FlagMocks", "FlagProviders", "FlagRemote", "FlagReview", "FlagServer", "FlagStatistics", "FlagSyntax",
      ]),
    .executableTarget(name: "flagctl", dependencies: ["FlagCLI"]),
    .target(name: "AllocationCounter"),
    .target(name: "ReferenceCounter"),
    .target(name: "LockCounter"),
    .executableTarget(
      name: "FlagBenchmarks",
      dependencies: [
        "AllocationCounter", "FeedFlags", "FlagComposition", "FlagDefinitions", "FlagDomain", "FlagFleet",
        "FlagGrowthBook", "FlagHTTP", "FlagLaunchDarkly", "FlagMacros", "FlagProviders", "FlagRemote", "FlagReview",
        "FlagServer", "FlagTracking", "FlagTransport", "HostileDocuments", "ReferenceCounter",
      ]),

    // Examples.
    .executableTarget(
      name: "QuickStart",
      dependencies: [
        "FeedFlags", "FlagComposition", "FlagDomain", "FlagGrowthBook", "FlagHTTP", "FlagLaunchDarkly", "FlagMocks",
        "FlagProviders", "FlagServer", "SettingsFlags",
      ],
      path: "Examples/QuickStart",
      resources: [.copy("flags.json"), .copy("growthbook.json"), .copy("launchdarkly.json")]),
    .executableTarget(
      name: "NewsApp",
      dependencies: [
        "FeedFlags", "FlagComposition", "FlagDomain", "FlagProviders", "FlagRemote", "SettingsFlags",
      ],
      path: "Examples/NewsApp", resources: [.copy("flags.json")]),
    .executableTarget(
      name: "Experiment",
      dependencies: [
        "FeedFlags", "FlagCLI", "FlagComposition", "FlagDomain", "FlagProviders", "FlagTracking", "SettingsFlags",
      ],
      path: "Examples/Experiment", resources: [.copy("flags.json")]),

    // Tests, and what they share.
    .target(name: "TestSupport", dependencies: ["FlagDefinitions", "FlagDomain"], path: "Tests/TestSupport"),
    .target(
      name: "HostileDocuments", dependencies: ["FlagDefinitions", "FlagDomain", "FlagReview"],
      path: "Tests/HostileDocuments"),
    .testTarget(name: "FlagDomainTests", dependencies: ["FlagDomain", "TestSupport"]),
    .testTarget(name: "FlagMacrosTests", dependencies: ["FlagDomain", "FlagMacros", "TestSupport"]),
    .testTarget(name: "FlagMacroExpansionTests", dependencies: ["FlagMacroExpansion", "FlagSyntax", "TestSupport"]),
    .testTarget(name: "FlagSyntaxTests", dependencies: ["FlagSyntax"]),
    .testTarget(name: "FeatureModuleTests", dependencies: ["FeedFlags", "FlagDomain", "SettingsFlags"]),
    .testTarget(name: "FlagJSONTests", dependencies: ["FlagDomain", "FlagJSON", "TestSupport"]),
    .testTarget(name: "FlagPatternsTests", dependencies: ["FlagPatterns", "TestSupport"]),
    .testTarget(name: "FlagFilesTests", dependencies: ["FlagDomain", "FlagFiles", "TestSupport"]),
    .testTarget(
      name: "FlagDefinitionsTests",
      dependencies: [
        "FlagDefinitions", "FlagDefinitionsTesting", "FlagDomain", "FlagJSON", "FlagReview", "FlagStatistics",
        "HostileDocuments", "TestSupport",
      ],
      exclude: ["Vectors"]),
    .testTarget(
      name: "FlagReviewTests", dependencies: ["FlagDefinitions", "FlagDomain", "FlagJSON", "FlagReview", "TestSupport"]),
    .testTarget(name: "FlagHTTPTests", dependencies: ["FlagHTTP", "TestSupport"]),
    .testTarget(
      name: "FlagServerTests",
      dependencies: ["FlagDefinitions", "FlagDomain", "FlagHTTP", "FlagJSON", "FlagServer", "TestSupport"]),
    .testTarget(
      name: "FlagRemoteTests",
      dependencies: [
        "FlagComposition", "FlagDefinitions", "FlagDefinitionsTesting", "FlagDomain", "FlagFleet", "FlagHTTP",
        "FlagJSON", "FlagProviders", "FlagRemote", "FlagServer", "FlagTesting", "FlagTransport", "TestSupport",
      ],
      exclude: ["Transport/TLS"]),
    .testTarget(
      name: "FlagGrowthBookTests",
      dependencies: [
        "FlagComposition", "FlagDefinitions", "FlagDefinitionsTesting", "FlagDomain", "FlagGrowthBook", "FlagHTTP",
        "FlagJSON", "FlagProviders", "FlagRemote", "FlagServer", "FlagTesting", "FlagTransport", "TestSupport",
      ],
      exclude: ["Python"]),
    .testTarget(
      name: "FlagLaunchDarklyTests",
      dependencies: [
        "FlagDefinitions", "FlagDefinitionsTesting", "FlagDomain", "FlagHTTP", "FlagJSON", "FlagLaunchDarkly",
        "FlagProviders", "FlagRemote", "FlagTesting", "FlagTransport", "TestSupport",
      ],
      exclude: ["SDK/evaluate.py"]),
    .testTarget(
      name: "FlagProvidersTests",
      dependencies: [
        "FlagDefinitions", "FlagDefinitionsTesting", "FlagDomain", "FlagJSON", "FlagMocks", "FlagProviders",
        "FlagTesting", "TestSupport",
      ]),
    .testTarget(
      name: "FlagCompositionTests",
      dependencies: [
        "FlagComposition", "FlagDefinitions", "FlagDomain", "FlagMocks", "FlagProviders", "FlagTesting",
        "LockCounter", "ReferenceCounter", "TestSupport",
      ]),
    .testTarget(
      name: "FlagConsoleTests",
      dependencies: [
        "FlagComposition", "FlagConsole", "FlagDefinitions", "FlagDomain", "FlagJSON", "FlagProviders", "FlagReview",
        "TestSupport",
      ]),
    .testTarget(
      name: "FlagConsoleWebTests",
      dependencies: [
        "FlagComposition", "FlagConsole", "FlagConsoleWeb", "FlagDefinitions", "FlagDomain", "FlagHTTP",
        "FlagProviders", "FlagServer", "TestSupport",
      ],
      exclude: ["Browser"]),
    .testTarget(
      name: "FlagStatisticsTests", dependencies: ["FlagStatistics", "TestSupport"], exclude: ["Vectors"]),
    .testTarget(name: "FlagEventsTests", dependencies: ["FlagDomain", "FlagEvents"]),
    .testTarget(
      name: "FlagAnalysisTests",
      dependencies: [
        "FlagAnalysis", "FlagDomain", "FlagEvents", "FlagJSON", "FlagStatistics", "TestSupport",
      ]),
    .testTarget(
      name: "FlagTrackingTests",
      dependencies: [
        "FlagComposition", "FlagDomain", "FlagEvents", "FlagHTTP", "FlagTesting",
        "FlagTracking", "FlagTransport", "TestSupport",
      ],
      exclude: ["OTLP"]),
    .testTarget(name: "FlagTestingTests", dependencies: ["FlagDomain", "FlagTesting"]),
    .testTarget(
      name: "FlagCLITests",
      dependencies: ["FlagCLI", "FlagDefinitions", "FlagDomain", "FlagFleet", "FlagJSON", "FlagRemote", "TestSupport"],
      exclude: ["OFREP", "SQL"]),
    .testTarget(
      name: "GuideTests",
      dependencies: [
        "FeedFlags", "FlagAnalysis", "FlagCLI", "FlagComposition", "FlagConsole", "FlagConsoleWeb", "FlagDefinitions",
        "FlagDefinitionsTesting", "FlagDomain", "FlagEvents", "FlagFiles", "FlagFleet", "FlagGrowthBook", "FlagHTTP",
        "FlagJSON", "FlagLaunchDarkly", "FlagMacros", "FlagMocks", "FlagPatterns", "FlagProviders", "FlagRemote",
        "FlagReview", "FlagServer", "FlagStatistics", "FlagSyntax", "FlagTesting", "FlagTracking", "FlagTransport",
        "SettingsFlags",
      ]),
    .testTarget(name: "AppleTests", dependencies: ["TestSupport"], exclude: ["Publishing.swift", "StandIns"]),
    .testTarget(name: "ArchitectureTests", dependencies: ["TestSupport"]),
    .testTarget(
      name: "ExampleTests",
      dependencies: [
        "FlagDomain", "FlagHTTP", "FlagProviders", "FlagServer", "TestSupport",
      ],
      exclude: ["Transcripts"]),
  ]
)

// Sanitizers build a few test targets, and what these need: FLAGS_TESTS="FlagJSONTests FlagDefinitionsTests".
if let tests = Context.environment["FLAGS_TESTS"] {
  let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
  var needed: Set<String> = []
  var waiting = tests.split(separator: " ").map(String.init)
  while let name = waiting.popLast() {
    guard let target = targets[name] else { fatalError("FLAGS_TESTS: no target is called \(name)") }
    guard needed.insert(name).inserted else { continue }
    for case .byNameItem(let dependency, _) in target.dependencies { waiting.append(dependency) }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products = []
}

// Settings of every target, written once.
for target in package.targets where target.type != .macro {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .treatWarning("ExplicitSendable", as: .error),
    ]
}
