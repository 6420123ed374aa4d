import Foundation
import TestSupport

/// Compiles modules and a program, with the modules and objects that were built along with the tests.
struct ProgramBuild {
  private let folder: URL

  /// Creates a build whose products are in a folder of a name, which is emptied.
  init(_ name: String) throws {
    folder = try BuildFolder.root.appending(path: "apple/\(name)")
    if FileManager.default.fileExists(atPath: folder.path) { try FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Compiles a module; in an older version of the language, the compiler has the actor of closures checked when they
  /// run.
  func module(_ name: String, _ files: [URL], language: String = "6") async throws {
    let module = folder.appending(path: name)
    try await compile(
      ["-wmo", "-emit-module", "-emit-object", "-module-name", name, "-swift-version", language]
        + (language == "6" ? Self.features : [])
        + ["-emit-module-path", module.path + ".swiftmodule", "-o", module.path + ".o"] + files.map(\.path))
  }

  /// Compiles a program of sources, of modules that were compiled here, and of targets, by their folders.
  func program(_ name: String, _ files: [URL], modules: [String], targets: [String]) async throws -> URL {
    let program = folder.appending(path: "program")
    let objects = modules.map { folder.appending(path: $0).path + ".o" } + (try targets.flatMap(Self.objects))
    let options = ["-module-name", name, "-swift-version", "6"] + Self.features
    try await compile(options + files.map(\.path) + objects + ["-lTesting", "-o", program.path])
    return program
  }

  /// Copies a file of a target that is for Apple's systems alone: outside of its module, which it then has to import.
  func copy(_ path: String, importing module: String, beside other: String) throws -> URL {
    let own = Checkout.root.appending(path: "Sources/\(path)")
    let text = try String(contentsOf: own, encoding: .utf8)
      .replacing("import \(other)\n", with: "import \(other)\n  public import \(module)\n", maxReplacements: 1)
    let copy = folder.appending(path: own.lastPathComponent)
    try text.write(to: copy, atomically: false, encoding: .utf8)
    return copy
  }

  /// The Swift files of a folder.
  static func files(in folder: URL) throws -> [URL] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }.sorted()
      .map { folder.appending(path: $0) }
  }

  private func compile(_ arguments: [String]) async throws {
    let toolchain = try Toolchain()
    let messages = try await Compiler.run(
      "swiftc",
      ["-parse-as-library", "-package-name", Self.packageName, "-I", folder.path, "-I", try BuildFolder.modules.path]
        + ["-I", Checkout.root.appending(path: "Sources/Internals/C/FlagThreads/include").path]
        + ["-plugin-path", "\(toolchain.resources)/host/plugins/testing"] + arguments)
    if !messages.isEmpty { throw CheckFailure(messages) }
  }

  private static let features = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]
    .flatMap { ["-enable-upcoming-feature", $0] }

  /// The package's name for the compiler: that of its folder, as an identifier.
  private static let packageName = String(
    Checkout.root.lastPathComponent.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })

  /// The objects of a target: of each source one, since the folder also keeps those of sources that have been renamed
  /// since.
  private static func objects(of target: String) throws -> [String] {
    let root = Checkout.root.appending(path: target)
    let sources = try FileManager.default.subpathsOfDirectory(atPath: root.path)
    return try sources.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".c") }.map {
      try BuildFolder.root
        .appending(path: "\(root.lastPathComponent).build/\(URL(filePath: $0).lastPathComponent).o").path
    }
  }
}
