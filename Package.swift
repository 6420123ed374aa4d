// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// Apple's platforms alone want to be told which interfaces of theirs a target uses.
#if os(macOS)
  let isOnApple = true
#else
  let isOnApple = false
#endif

/// The platforms whose Foundation is a part of the system.
let applePlatforms: [Platform] = [.macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS]

/// The targets, by the folders that they lie in: the SDK in front, and what serves it behind.
let folders: KeyValuePairs<String, [Target]> = [
  // What an app and its feature modules import.
  "Sources": [
    // The domain: vocabulary and ports. It imports nothing of ours, and no Foundation.
    .target(name: "FlagDomain"),
    // Declaring by macro. The plugin runs in the compiler alone, and is one line over a library that has the tests. If
    // a test target asks for a macro itself, SwiftPM builds all tests, and all that they use, twice.
    .target(name: "FlagMacros", dependencies: ["FlagDomain", "FlagMacrosPlugin"]),
    // Where values come from: local ones, documents, overrides.
    .target(
      name: "FlagProviders",
      dependencies: ["FlagDefinitions", "FlagDomain", "FlagFiles", "FlagFoundation", "FlagJSON", "FlagSupport"]),
    // What needs the whole of Foundation: values, overrides and ids in user defaults.
    .target(
      name: "FlagUserDefaults", dependencies: ["FlagDomain", "FlagFiles", "FlagJSON", "FlagProviders", "FlagSupport"],
      exclude: isOnApple ? [] : ["PrivacyInfo.xcprivacy"],
      resources: isOnApple ? [.process("PrivacyInfo.xcprivacy")] : []),
    // Services in memory, which no app links.
    .target(name: "FlagMocks", dependencies: ["FlagDomain", "FlagJSON", "FlagProviders", "FlagServices"]),
    // The composition root: orders the adapters, hands back ports.
    .target(name: "FlagComposition", dependencies: ["FlagDomain", "FlagFoundation", "FlagSupport", "FlagThreads"]),
    // One import for an app: the modules above, without the mocks.
    .target(
      name: "FeatureFlags",
      dependencies: [
        "FlagComposition", "FlagDomain", "FlagMacros", "FlagProviders",
        .byName(name: "FlagUserDefaults", condition: .when(platforms: applePlatforms)),
      ]),
    // Flags in views. Where there is no SwiftUI, it is empty.
    .target(name: "FlagSwiftUI", dependencies: ["FlagDomain"]),
    // Feature modules, as an app would have them.
    .target(name: "SettingsFlags", dependencies: ["FlagDomain"]),
    .target(name: "FeedFlags", dependencies: ["FlagDomain", "FlagMacros"]),
  ],

  // The in-house format: evaluated at run time, published to servers, edited as text, checked and compared.
  "Sources/Definitions": [
    .target(name: "FlagDefinitions", dependencies: ["FlagDomain", "FlagJSON", "FlagSupport"]),
    .target(
      name: "FlagPublishing",
      dependencies: [
        "FlagDefinitions", "FlagDomain", "FlagFiles", "FlagFoundation", "FlagJSON", "FlagProviders", "FlagSupport",
      ]),
    .target(
      name: "FlagEditing", dependencies: ["FlagDefinitions", "FlagDomain", "FlagJSON", "FlagReview", "FlagSupport"]),
    .target(name: "FlagReview", dependencies: ["FlagDefinitions", "FlagDomain", "FlagJSON", "FlagSupport"]),
  ],

  // What has a network: services, vendors whose documents are evaluated here, and a small server without Foundation.
  "Sources/Services": [
    // What follows a service, and a provider of its answers for one user. The network is the service's own.
    .target(
      name: "FlagServices",
      dependencies: ["FlagDomain", "FlagFiles", "FlagFoundation", "FlagJSON", "FlagProviders", "FlagSupport"]),
    .target(
      name: "FlagRemote",
      dependencies: [
        "FlagDefinitions", "FlagDomain", "FlagFoundation", "FlagHTTP", "FlagJSON", "FlagProviders", "FlagServices",
        "FlagSupport", "FlagTransport",
      ]),
    .target(
      name: "FlagServer", dependencies: ["FlagDefinitions", "FlagDomain", "FlagHTTP", "FlagJSON", "FlagSupport"]),
    // Definitions that are published to many servers, on etcd.
    .target(
      name: "FlagFleet",
      dependencies: [
        "FlagDefinitions", "FlagDomain", "FlagFoundation", "FlagHTTP", "FlagJSON", "FlagProviders", "FlagPublishing",
        "FlagRemote", "FlagServices", "FlagSupport", "FlagTransport",
      ]),
    .target(
      name: "FlagGrowthBook",
      dependencies: [
        "FlagDefinitions", "FlagDomain", "FlagFoundation", "FlagHTTP", "FlagJSON", "FlagPatterns", "FlagProviders",
        "FlagRemote", "FlagSupport",
      ]),
    .target(
      name: "FlagLaunchDarkly",
      dependencies: [
        "FlagDefinitions", "FlagDomain", "FlagFoundation", "FlagHTTP", "FlagJSON", "FlagPatterns", "FlagProviders",
        "FlagRemote", "FlagServices", "FlagSupport",
      ]),
  ],

  // Browsers of flags: the model, an editor of definitions, pages, and views, which are empty without SwiftUI.
  "Sources/Console": [
    .target(name: "FlagConsole", dependencies: ["FlagDomain", "FlagJSON", "FlagSupport"]),
    .target(
      name: "FlagConsoleEditor",
      dependencies: [
        "FlagConsole", "FlagDefinitions", "FlagDomain", "FlagEditing", "FlagFoundation", "FlagJSON", "FlagPublishing",
        "FlagReview", "FlagSupport",
      ]),
    .target(
      name: "FlagConsoleWeb",
      dependencies: [
        "FlagConsole", "FlagConsoleEditor", "FlagDefinitions", "FlagDomain", "FlagEditing", "FlagHTTP",
        "FlagPublishing", "FlagReview", "FlagServer", "FlagSupport",
      ], resources: [.embedInCode("Assets/console.css"), .embedInCode("Assets/console.js")]),
    .target(
      name: "FlagConsoleUI", dependencies: ["FlagComposition", "FlagConsole", "FlagDomain", "FlagProviders"]),
  ],

  // Experiments: who saw what and did what, from counts to answers, from events to reports.
  "Sources/Experiments": [
    .target(name: "FlagEvents", dependencies: ["FlagDomain", "FlagJSON", "FlagSupport"]),
    .target(
      name: "FlagTracking",
      dependencies: [
        "FlagDomain", "FlagEvents", "FlagFiles", "FlagFoundation", "FlagHTTP", "FlagJSON", "FlagSupport",
        "FlagTransport",
      ]),
    .target(name: "FlagStatistics"),
    .target(
      name: "FlagAnalysis",
      dependencies: [
        "FlagDomain", "FlagEvents", "FlagFiles", "FlagFoundation", "FlagJSON", "FlagStatistics", "FlagSupport",
      ]),
  ],

  // Support for the tests of teams.
  "Sources/Testing": [
    .target(name: "FlagTesting", dependencies: ["FlagDomain"]),
    .target(name: "FlagDefinitionsTesting", dependencies: ["FlagDefinitions", "FlagDomain"]),
  ],

  // Tools. An executable is one line over a library.
  // A scheme of the whole package builds all of them for phones, too, from which no manifest can keep them, since it
  // runs on the computer. So all compile there; what only a computer can do is left out in the sources.
  "Sources/Tools": [
    .executableTarget(name: "flagctl", dependencies: ["FlagCLI"]),
    .target(
      name: "FlagCLI",
      dependencies: [
        "FlagAnalysis", "FlagComposition", "FlagConsole", "FlagConsoleEditor", "FlagConsoleWeb", "FlagDefinitions",
        "FlagDomain", "FlagEditing", "FlagEvents", "FlagFiles", "FlagFleet", "FlagFoundation", "FlagGrowthBook",
        "FlagHTTP", "FlagJSON", "FlagLaunchDarkly", "FlagProviders", "FlagPublishing", "FlagRemote", "FlagReview",
        "FlagServer", "FlagServices", "FlagStatistics", "FlagSupport", "FlagSyntax",
      ]),
    .executableTarget(
      name: "FlagBenchmarks",
      dependencies: [
        "FeedFlags", "FlagComposition", "FlagCounters", "FlagDefinitions", "FlagDomain", "FlagFleet", "FlagGrowthBook",
        "FlagHTTP", "FlagLaunchDarkly", "FlagMacros", "FlagProviders", "FlagRemote", "FlagReview", "FlagServer",
        "FlagServices", "FlagSupport", "FlagTracking", "FlagTransport", "HostileDocuments",
      ]),
  ],

  // What several rooms stand on. None of it has a product.
  "Sources/Internals": [
    // The system, hashes, times, tables of text, retries: what several rooms need and no domain knows.
    .target(name: "FlagSupport", dependencies: ["FlagDomain", "FlagThreads"]),
    // Foundation's essentials where there are such, and Apple's Foundation.
    .target(name: "FlagFoundation", dependencies: ["FlagSupport"]),
    .target(name: "FlagJSON", dependencies: ["FlagDomain"]),
    .target(
      name: "FlagFiles", dependencies: ["FlagDomain", "FlagFoundation", "FlagSupport"],
      exclude: isOnApple ? [] : ["PrivacyInfo.xcprivacy"],
      resources: isOnApple ? [.process("PrivacyInfo.xcprivacy")] : []),
    // What both sides of a wire share, as pure values; and a client over URLSession or libcurl.
    .target(name: "FlagHTTP", dependencies: ["FlagDomain", "FlagSupport"]),
    .target(
      name: "FlagTransport", dependencies: ["FlagCurl", "FlagDomain", "FlagFoundation", "FlagHTTP", "FlagSupport"]),
    // Regular expressions of vendors' documents, in linear time.
    .target(name: "FlagPatterns"),
    // Swift's grammar as far as flags need it, for the macros' plugin and for tools.
    .target(name: "FlagSyntax"),
    .target(name: "FlagMacroExpansion", dependencies: ["FlagSyntax"]),
    .macro(name: "FlagMacrosPlugin", dependencies: ["FlagMacroExpansion"]),
  ],

  // In C: a word for each thread, libcurl, and what benchmarks and tests count.
  "Sources/Internals/C": [
    .target(name: "FlagThreads"),
    .target(name: "FlagCurl"),
    .target(name: "FlagCounters"),
  ],

  "Examples": [
    .target(name: "SignIn", dependencies: ["FlagDomain"]),
    .executableTarget(
      name: "QuickStart",
      dependencies: [
        "FeatureFlags", "FeedFlags", "FlagDefinitions", "FlagDomain", "FlagGrowthBook", "FlagHTTP", "FlagLaunchDarkly",
        "FlagMocks", "FlagServer", "SettingsFlags", "SignIn",
      ],
      resources: ["flags", "growthbook", "in-house", "launchdarkly"].map { .copy("\($0).json") }),
    .executableTarget(
      name: "NewsApp", dependencies: ["FeatureFlags", "FeedFlags", "FlagRemote", "NewsReader", "SettingsFlags"]),
    // The program's composition root, and its screens, which are empty without SwiftUI.
    .target(
      name: "NewsReader",
      dependencies: [
        "FeatureFlags", "FeedFlags", "FlagConsole", "FlagConsoleUI", "FlagSwiftUI", "SettingsFlags", "SignIn",
      ],
      resources: [.copy("flags.json")]),
    .executableTarget(
      name: "Experiment", dependencies: ["FeatureFlags", "FeedFlags", "FlagCLI", "FlagTracking", "SettingsFlags"],
      resources: [.copy("flags.json")]),
  ],

  // Tests lie as what they test does; those of the whole package at the top.
  "Tests": [
    .testTarget(name: "FlagDomainTests", dependencies: ["FlagDomain", "TestSupport"]),
    .testTarget(
      name: "FlagMacrosTests",
      dependencies: ["FlagComposition", "FlagDomain", "FlagMacros", "FlagProviders", "FlagTesting", "TestSupport"]),
    .testTarget(
      name: "FlagProvidersTests",
      dependencies: [
        "FlagDefinitions", "FlagDefinitionsTesting", "FlagDomain", "FlagJSON", "FlagMocks", "FlagProviders",
        "FlagTesting", "FlagUserDefaults", "TestSupport",
      ]),
    .testTarget(
      name: "FlagUserDefaultsTests",
      dependencies: ["FlagDomain", "FlagProviders", "FlagTesting", "FlagUserDefaults", "TestSupport"]),
    .testTarget(
      name: "FlagCompositionTests",
      dependencies: [
        "FlagComposition", "FlagCounters", "FlagDefinitions", "FlagDomain", "FlagGrowthBook", "FlagLaunchDarkly",
        "FlagMocks", "FlagProviders", "FlagServices", "FlagTesting", "FlagUserDefaults", "TestSupport",
      ]),
    .testTarget(
      name: "FeatureModuleTests",
      dependencies: ["FeatureFlags", "FeedFlags", "FlagDomain", "FlagTesting", "SettingsFlags", "SignIn"]),
    .testTarget(
      name: "AppleTests", dependencies: ["TestSupport"], exclude: ["Publishing.swift", "Screens", "StandIns"]),
    .testTarget(name: "ArchitectureTests", dependencies: ["TestSupport"]),
    .testTarget(
      name: "ExampleTests", dependencies: ["FlagDomain", "FlagHTTP", "FlagProviders", "FlagServer", "TestSupport"],
      exclude: ["Transcripts"]),
    .testTarget(
      name: "GuideTests",
      dependencies: [
        "FeatureFlags", "FeedFlags", "FlagAnalysis", "FlagCLI", "FlagComposition", "FlagConsole", "FlagConsoleEditor",
        "FlagConsoleWeb", "FlagDefinitions", "FlagDefinitionsTesting", "FlagDomain", "FlagEditing", "FlagEvents",
        "FlagFiles", "FlagFleet", "FlagFoundation", "FlagGrowthBook", "FlagHTTP", "FlagJSON", "FlagLaunchDarkly",
        "FlagMacros", "FlagMocks", "FlagPatterns", "FlagProviders", "FlagPublishing", "FlagRemote", "FlagReview",
        "FlagServer", "FlagServices", "FlagStatistics", "FlagSupport", "FlagSyntax", "FlagTesting", "FlagTracking",
        "FlagTransport", "FlagUserDefaults", "SettingsFlags", "TestSupport",
      ]),
  ],
  "Tests/Definitions": [
    .testTarget(
      name: "FlagDefinitionsTests",
      dependencies: [
        "FlagDefinitions", "FlagDefinitionsTesting", "FlagDomain", "FlagJSON", "FlagReview", "FlagStatistics",
        "FlagSupport", "HostileDocuments", "TestSupport",
      ],
      exclude: ["Vectors"]),
    .testTarget(
      name: "FlagPublishingTests",
      dependencies: [
        "FlagDefinitions", "FlagDefinitionsTesting", "FlagDomain", "FlagProviders", "FlagPublishing", "TestSupport",
      ]),
    .testTarget(
      name: "FlagEditingTests",
      dependencies: ["FlagDefinitions", "FlagDomain", "FlagEditing", "FlagJSON", "FlagReview", "TestSupport"]),
    .testTarget(
      name: "FlagReviewTests",
      dependencies: ["FlagDefinitions", "FlagDomain", "FlagJSON", "FlagReview", "TestSupport"]),
  ],
  "Tests/Services": [
    .testTarget(
      name: "FlagServicesTests",
      dependencies: [
        "FlagDefinitions", "FlagDomain", "FlagJSON", "FlagMocks", "FlagProviders",
        "FlagServices", "FlagSupport", "FlagTesting", "TestSupport",
      ]),
    .testTarget(
      name: "FlagServerTests",
      dependencies: ["FlagDefinitions", "FlagDomain", "FlagHTTP", "FlagJSON", "FlagServer", "TestSupport"]),
    .testTarget(
      name: "FlagRemoteTests",
      dependencies: [
        "FlagComposition", "FlagDefinitions", "FlagDomain", "FlagHTTP", "FlagProviders", "FlagRemote", "FlagServer",
        "FlagServices", "FlagSupport", "FlagTesting", "FlagTransport", "TestSupport",
      ]),
    .testTarget(
      name: "FlagFleetTests",
      dependencies: [
        "FlagComposition", "FlagDefinitions", "FlagDefinitionsTesting", "FlagDomain", "FlagFleet", "FlagHTTP",
        "FlagJSON", "FlagProviders", "FlagPublishing", "FlagRemote", "FlagServices", "FlagSupport", "FlagTesting",
        "FlagTransport", "TestSupport",
      ]),
    .testTarget(
      name: "FlagGrowthBookTests",
      dependencies: [
        "FlagComposition", "FlagDefinitions", "FlagDefinitionsTesting", "FlagDomain", "FlagGrowthBook", "FlagHTTP",
        "FlagJSON", "FlagProviders", "FlagRemote", "FlagServer", "FlagServices", "FlagTesting", "FlagTransport",
        "TestSupport",
      ],
      exclude: ["Python"]),
    .testTarget(
      name: "FlagLaunchDarklyTests",
      dependencies: [
        "FlagDefinitions", "FlagDefinitionsTesting", "FlagDomain", "FlagHTTP", "FlagJSON", "FlagLaunchDarkly",
        "FlagProviders", "FlagRemote", "FlagServices", "FlagTesting", "FlagTransport", "TestSupport",
      ],
      exclude: ["SDK/evaluate.py"]),
  ],
  "Tests/Console": [
    .testTarget(
      name: "FlagConsoleTests",
      dependencies: [
        "FlagComposition", "FlagConsole", "FlagConsoleEditor", "FlagDefinitions", "FlagDomain", "FlagEditing",
        "FlagJSON", "FlagProviders", "FlagPublishing", "FlagReview", "FlagSupport",
        "TestSupport",
      ]),
    .testTarget(
      name: "FlagConsoleWebTests",
      dependencies: [
        "FlagComposition", "FlagConsole", "FlagConsoleEditor", "FlagConsoleWeb", "FlagDefinitions",
        "FlagDomain", "FlagEditing", "FlagHTTP", "FlagProviders", "FlagPublishing",
        "FlagReview", "FlagServer", "TestSupport",
      ],
      exclude: ["Browser"]),
  ],
  "Tests/Experiments": [
    .testTarget(name: "FlagEventsTests", dependencies: ["FlagDomain", "FlagEvents", "TestSupport"]),
    .testTarget(
      name: "FlagTrackingTests",
      dependencies: [
        "FlagComposition", "FlagDomain", "FlagEvents", "FlagFiles", "FlagHTTP", "FlagSupport", "FlagTesting",
        "FlagTracking", "FlagTransport", "TestSupport",
      ],
      exclude: ["OTLP"]),
    .testTarget(name: "FlagStatisticsTests", dependencies: ["FlagStatistics", "TestSupport"], exclude: ["Vectors"]),
    .testTarget(
      name: "FlagAnalysisTests",
      dependencies: [
        "FlagAnalysis", "FlagDomain", "FlagEvents", "FlagFiles", "FlagJSON", "FlagStatistics", "TestSupport",
      ]),
  ],
  "Tests/Testing": [
    .testTarget(name: "FlagTestingTests", dependencies: ["FlagDomain", "FlagTesting"])
  ],
  "Tests/Tools": [
    .testTarget(
      name: "FlagCLITests",
      dependencies: [
        "FlagCLI", "FlagComposition", "FlagDefinitions", "FlagDomain", "FlagFleet",
        "FlagJSON", "FlagProviders", "FlagPublishing", "FlagRemote", "FlagServices", "FlagTracking", "TestSupport",
      ],
      exclude: ["OFREP", "SQL"])
  ],
  "Tests/Internals": [
    .testTarget(name: "FlagSupportTests", dependencies: ["FlagDomain", "FlagSupport"]),
    .testTarget(name: "FlagFoundationTests", dependencies: ["FlagFoundation", "FlagSupport", "TestSupport"]),
    .testTarget(
      name: "FlagTransportTests",
      dependencies: ["FlagDomain", "FlagHTTP", "FlagTesting", "FlagTransport", "TestSupport"]),
    .testTarget(name: "FlagJSONTests", dependencies: ["FlagDomain", "FlagJSON", "TestSupport"]),
    .testTarget(name: "FlagFilesTests", dependencies: ["FlagDomain", "FlagFiles", "TestSupport"]),
    .testTarget(name: "FlagHTTPTests", dependencies: ["FlagHTTP", "TestSupport"]),
    .testTarget(name: "FlagPatternsTests", dependencies: ["FlagPatterns", "TestSupport"]),
    .testTarget(name: "FlagSyntaxTests", dependencies: ["FlagSyntax"]),
    .testTarget(name: "FlagMacroExpansionTests", dependencies: ["FlagMacroExpansion", "FlagSyntax", "TestSupport"]),
  ],
  "Tests/Support": [
    .target(
      name: "TestSupport",
      dependencies: [
        "FlagDefinitions", "FlagDefinitionsTesting", "FlagDomain", "FlagHTTP", "FlagPublishing", "FlagTransport",
      ],
      exclude: ["TLS"]),
    .target(name: "HostileDocuments", dependencies: ["FlagDefinitions", "FlagDomain", "FlagReview", "FlagSupport"]),
  ],
]

for (folder, targets) in folders {
  for target in targets { target.path = "\(folder)/\(target.name)" }
}

let package = Package(
  name: "swift-feature-flags",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    // What an app adds, and what its feature modules add.
    .library(
      name: "FeatureFlags", targets: ["FeatureFlags", "FlagComposition", "FlagDomain", "FlagMacros", "FlagProviders"]),
    .library(name: "FlagDomain", targets: ["FlagDomain", "FlagMacros"]),
    // Elsewhere than on Apple's platforms, where it is in the first.
    .library(name: "FlagUserDefaults", targets: ["FlagUserDefaults"]),

    // What some apps, servers and tests add besides.
    .library(name: "FlagDefinitions", targets: ["FlagDefinitions"]),
    .library(name: "FlagPublishing", targets: ["FlagPublishing"]),
    .library(name: "FlagEditing", targets: ["FlagEditing"]),
    .library(name: "FlagReview", targets: ["FlagReview"]),
    .library(name: "FlagServices", targets: ["FlagServices"]),
    .library(name: "FlagRemote", targets: ["FlagRemote"]),
    .library(name: "FlagFleet", targets: ["FlagFleet"]),
    .library(name: "FlagGrowthBook", targets: ["FlagGrowthBook"]),
    .library(name: "FlagLaunchDarkly", targets: ["FlagLaunchDarkly"]),
    .library(name: "FlagTracking", targets: ["FlagEvents", "FlagTracking"]),
    .library(name: "FlagStatistics", targets: ["FlagStatistics"]),
    .library(name: "FlagConsole", targets: ["FlagConsole"]),
    .library(name: "FlagConsoleEditor", targets: ["FlagConsoleEditor"]),
    .library(name: "FlagConsoleWeb", targets: ["FlagConsoleWeb"]),
    .library(name: "FlagSwiftUI", targets: ["FlagConsoleUI", "FlagSwiftUI"]),
    .library(name: "FlagTesting", targets: ["FlagTesting"]),
    .library(name: "FlagDefinitionsTesting", targets: ["FlagDefinitionsTesting"]),
    .library(name: "FlagMocks", targets: ["FlagMocks"]),
    .library(name: "NewsReader", targets: ["NewsReader"]),
    .executable(name: "flagctl", targets: ["flagctl"]),
  ],
  targets: folders.flatMap(\.value)
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
  // Nothing on Linux uses URLSession's transport, so that no program links it there. Its tests do.
  for target in package.targets where target.name.hasPrefix("FlagTransport") {
    target.swiftSettings = [.define("TESTS_URLSESSION")]
  }
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

// What ships marks what is unsafe, and what tests it need not.
for target in package.targets where target.type != .macro && target.path?.hasPrefix("Sources/") == true {
  target.swiftSettings?.append(.strictMemorySafety())
}
