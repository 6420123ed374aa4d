import Foundation

/// The check of targets for one system: each is checked once those are that it imports.
struct TargetCheck {
  let sdk: StandInSDK
  let targets: [PackageManifest.Target]
  /// The program that expands the package's macros.
  let plugin: URL

  /// The compiler's messages for a target.
  struct Finding: Sendable {
    let target: String
    let errors: [String]
    let seconds: Double
  }

  /// Checks targets, and returns what was found, in the order of the manifest.
  func run() async throws -> [Finding] {
    var tasks: [String: Task<Finding, any Error>] = [:]
    for target in try sorted() {
      let dependencies = target.dependencies.compactMap { tasks[$0.name] }
      let sources = try Sources(of: target, with: self)
      tasks[target.name] = Task {
        for dependency in dependencies { _ = try await dependency.value }
        return try await sources.check(in: sdk)
      }
    }
    var findings: [Finding] = []
    for target in targets { if let task = tasks[target.name] { findings.append(try await task.value) } }
    return findings
  }

  /// Returns the targets, each after those that it depends on.
  private func sorted() throws -> [PackageManifest.Target] {
    var sorted: [PackageManifest.Target] = []
    var left = targets
    while !left.isEmpty {
      let names = Set(left.map(\.name))
      let next = left.filter { target in names.isDisjoint(with: target.dependencies.map(\.name)) }
      if next.isEmpty { throw CheckFailure("targets depend on each other: \(names.sorted())") }
      sorted += next
      left.removeAll { target in next.contains { $0.name == target.name } }
    }
    return sorted
  }

  /// Checks for each target that one file more, which is not right for the system, is refused; returns those that take
  /// it, with what was not said.
  func accepting(_ file: URL, butFor messages: [String]) async throws -> [String] {
    try await withThrowingTaskGroup(of: [String].self) { group in
      for target in targets {
        let sources = try Sources(of: target, with: self)
        guard !sources.files.isEmpty else { continue }
        group.addTask {
          let found = try await sdk.check(file, in: target.name, beside: sources.files, sources.arguments)
          return messages.filter { !found.contains($0) }.map { "\(target.name): not said: \($0)" }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }.sorted()
    }
  }
}

extension TargetCheck {
  /// The compiler's arguments for a target.
  struct Sources: Sendable {
    let name: String
    private(set) var files: [URL]
    let cFiles: [URL]
    let include: URL
    let arguments: [String]
  }
}

extension TargetCheck.Sources {
  init(of target: PackageManifest.Target, with check: TargetCheck) throws {
    name = target.name
    files = try target.swiftFiles()
    cFiles = try target.files(["c"])
    include = target.folder.appending(path: "include")
    if !target.resources.isEmpty { files.append(Checkout.tests.appending(path: "StandIns/ResourceBundle.swift")) }
    let isScript = files.contains { $0.lastPathComponent == "main.swift" }
    let headers = check.targets.map { $0.folder.appending(path: "include").path }
      .filter { FileManager.default.fileExists(atPath: $0) }
    arguments =
      ["-swift-version", "6", "-package-name", "swift_feature_flags"] + (isScript ? [] : ["-parse-as-library"])
      + (try target.swiftArguments()) + headers.flatMap { ["-I", $0] }
      + ["-load-plugin-executable", "\(check.plugin.path)#FlagMacrosPlugin"]
  }

  func check(in sdk: StandInSDK) async throws -> TargetCheck.Finding {
    let start = ContinuousClock.now
    var messages = ""
    if !cFiles.isEmpty { messages += try await sdk.checkC(cFiles, include: include) }
    if !files.isEmpty { messages += try await sdk.emitModule(name, files, arguments) }
    // The last is about a module with errors that is imported, which has said so itself.
    let errors = messages.split(separator: "\n").filter {
      $0.contains("error: ") && !$0.hasPrefix(" ") && !$0.contains("error: allowing deserialization of invalid")
    }
    .map { String($0).replacing(Checkout.root.path + "/", with: "") }
    return TargetCheck.Finding(
      target: name, errors: Set(errors).sorted(), seconds: (ContinuousClock.now - start) / .seconds(1))
  }
}
