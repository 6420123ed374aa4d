import Foundation
import TestSupport

/// The manifest as the package manager reads it.
struct PackageManifest: Decodable {
  let platforms: [Platform]
  let products: [Product]
  let targets: [Target]

  /// The oldest version of a system that the package is for.
  struct Platform: Decodable {
    let platformName: String
    let version: String
  }

  struct Product: Decodable {
    let name: String
    let targets: [String]
    /// A library, or an executable: by its only key.
    let type: [String: [String]?]
  }

  struct Target: Decodable {
    let name: String
    /// One of `regular`, `executable`, `macro`, `test`.
    let type: String
    let path: String?
    let exclude: [String]
    let dependencies: [Dependency]
    let settings: [Setting]
    let resources: [Resource]
  }

  struct Dependency: Decodable {
    let name: String
  }

  /// A setting of the compiler: its kind, and its values in order.
  struct Setting: Decodable {
    let tool: String
    let kind: [String: [String: String]]
  }

  struct Resource: Decodable {
    let path: String
  }
}

extension PackageManifest.Dependency {
  private enum CodingKeys: CodingKey { case byName }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    var names = try container.nestedUnkeyedContainer(forKey: .byName)
    name = try names.decode(String.self)
  }
}

extension PackageManifest {
  /// Has the package manager read the manifest of this package, with a build folder of its own.
  static func read() throws -> PackageManifest {
    let scratch = FileManager.default.temporaryDirectory.appending(path: "manifest-\(UUID().uuidString)")
    defer { do { try FileManager.default.removeItem(at: scratch) } catch { /* Nothing was written to it. */  } }
    let run = try ChildProcess.run(
      URL(filePath: "/usr/bin/env"), ["swift", "package", "--scratch-path", scratch.path, "dump-package"],
      in: Checkout.root)
    guard run.status == 0 else { throw CheckFailure("the manifest cannot be read: \(run.errors)") }
    return try JSONDecoder().decode(PackageManifest.self, from: Data(run.output.utf8))
  }
}

extension PackageManifest.Target {
  /// The folder of the sources.
  var folder: URL { Checkout.root.appending(path: path ?? "\(type == "test" ? "Tests" : "Sources")/\(name)") }

  /// The Swift files of the target, sorted.
  func swiftFiles() throws -> [URL] { try files(["swift"]) }

  /// The files of the target that have one of some extensions, sorted.
  func files(_ extensions: Set<String>) throws -> [URL] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { file in !exclude.contains { file == $0 || file.hasPrefix($0 + "/") } }
      .map { folder.appending(path: $0) }
      .filter { extensions.contains($0.pathExtension) }
      .sorted { $0.path < $1.path }
  }

  /// The arguments of the Swift compiler for the target's settings.
  ///
  /// - Throws: A failure for a setting that the check does not know.
  func swiftArguments() throws -> [String] {
    try settings.filter { $0.tool == "swift" }.flatMap { setting in
      try setting.kind.flatMap { kind, values in
        switch kind {
        case "enableUpcomingFeature": ["-enable-upcoming-feature", values["_0"] ?? ""]
        case "enableExperimentalFeature": ["-enable-experimental-feature", values["_0"] ?? ""]
        case "treatWarning": [values["_1"] == "error" ? "-Werror" : "-Wwarning", values["_0"] ?? ""]
        // Unmarked code is an error here as it is in the everyday build.
        case "strictMemorySafety": ["-strict-memory-safety", "-Werror", "StrictMemorySafety"]
        default: throw CheckFailure("\(name) has a setting that the check does not know: \(kind)")
        }
      }
    }
  }
}

extension PackageManifest {
  /// Returns the names of targets and of all that they depend on.
  func dependencies(of names: Set<String>) -> Set<String> {
    var all = names
    while true {
      let more = targets.filter { all.contains($0.name) && $0.type != "macro" }.flatMap(\.dependencies).map(\.name)
      if all.isSuperset(of: more) { return all }
      all.formUnion(more)
    }
  }

  /// The names of the targets that an app may link: those of libraries, and all that they depend on.
  var linkedTargets: Set<String> {
    dependencies(of: Set(products.filter { $0.type.keys.contains("library") }.flatMap(\.targets))).subtracting(
      targets.filter { $0.type == "macro" }.map(\.name))
  }
}

/// The checkout that the tests were built from.
enum Checkout {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The folder of these tests.
  static let tests = root.appending(path: "Tests/AppleTests")
}

/// Why nothing could be checked.
struct CheckFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
