// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

let package = Package(
  name: "swift-feature-flags",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "FlagDomain", targets: ["FlagDomain"]),
    .library(name: "FlagMacros", targets: ["FlagMacros"]),
    .library(name: "FlagProviders", targets: ["FlagProviders"]),
    .library(name: "FlagComposition", targets: ["FlagComposition"]),
    .library(name: "FlagTesting", targets: ["FlagTesting"]),
    .executable(name: "flagctl", targets: ["flagctl"]),
  ],
  targets: [
    // The domain: vocabulary and ports. It imports nothing of ours, and no Foundation.
    .target(name: "FlagDomain"),

    // Declaring by macro. The plugin runs in the compiler alone.
    .target(name: "FlagMacros", dependencies: ["FlagDomain", "FlagMacrosPlugin"]),
    .macro(name: "FlagMacrosPlugin"),

    // Feature modules, as an app would have them.
    .target(name: "SettingsFlags", dependencies: ["FlagDomain"]),
    .target(name: "FeedFlags", dependencies: ["FlagDomain", "FlagMacros"]),

    // Adapters: where values come from.
    .target(name: "FlagProviders", dependencies: ["FlagDomain"]),

    // The composition root: orders the adapters, hands back ports.
    .target(name: "FlagComposition", dependencies: ["FlagDomain", "FlagProviders"]),

    // Support for the tests of teams.
    .target(name: "FlagTesting", dependencies: ["FlagDomain"]),

    // Tools. An executable is one line over a library.
    .target(name: "FlagCLI", dependencies: ["FlagDomain", "FlagProviders"]),
    .executableTarget(name: "flagctl", dependencies: ["FlagCLI"]),
    .target(name: "AllocationCounter"),
    .executableTarget(
      name: "FlagBenchmarks",
      dependencies: ["AllocationCounter", "FeedFlags", "FlagComposition", "FlagDomain", "FlagMacros", "FlagProviders"]),

    // Examples.
    .executableTarget(
      name: "QuickStart",
      dependencies: ["FeedFlags", "FlagComposition", "FlagDomain", "FlagProviders", "SettingsFlags"],
      path: "Examples/QuickStart", resources: [.copy("flags.json")]),
    .executableTarget(
      name: "NewsApp",
      dependencies: ["FeedFlags", "FlagComposition", "FlagDomain", "FlagProviders", "SettingsFlags"],
      path: "Examples/NewsApp", resources: [.copy("flags.json")]),

    // Tests.
    .testTarget(name: "FlagDomainTests", dependencies: ["FlagDomain"]),
    .testTarget(name: "FlagMacrosTests", dependencies: ["FlagDomain", "FlagMacros"]),
    .testTarget(name: "FlagMacrosPluginTests", dependencies: ["FlagMacrosPlugin"]),
    .testTarget(name: "FeatureModuleTests", dependencies: ["FeedFlags", "FlagDomain", "SettingsFlags"]),
    .testTarget(name: "FlagProvidersTests", dependencies: ["FlagDomain", "FlagProviders", "FlagTesting"]),
    .testTarget(
      name: "FlagCompositionTests", dependencies: ["FlagComposition", "FlagDomain", "FlagProviders", "FlagTesting"]),
    .testTarget(name: "FlagTestingTests", dependencies: ["FlagDomain", "FlagTesting"]),
    .testTarget(name: "FlagCLITests", dependencies: ["FlagCLI"]),
    .testTarget(
      name: "GuideTests",
      dependencies: [
        "FeedFlags", "FlagComposition", "FlagDomain", "FlagMacros", "FlagProviders", "FlagTesting", "SettingsFlags",
      ]),
    .testTarget(name: "ArchitectureTests"),
    .testTarget(name: "ExampleTests", dependencies: ["FlagDomain", "FlagProviders"], exclude: ["Transcripts"]),
  ]
)

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
