import Foundation

/// An SDK of an Apple system, made of the toolchain's own interfaces, of what it prints of its libraries, and of the
/// stand-ins beside these tests.
///
/// A stand-in is a folder: Swift files, which become a module of its name, and for one in C its headers and their map.
struct StandInSDK {
  let platform: ApplePlatform
  let triple: String
  private let toolchain: Toolchain
  private let folder: URL

  /// The stand-ins, each after those that it imports.
  static let standIns = ["Darwin", "Combine", "SwiftUI"]

  /// Makes an SDK in a folder, which is created.
  init(for platform: ApplePlatform, _ manifest: PackageManifest, _ toolchain: Toolchain, in folder: URL) throws {
    self.platform = platform
    self.toolchain = toolchain
    self.folder = folder
    triple = try platform.triple(manifest, architecture: toolchain.architecture)
    for folder in [modules, headers] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    let interfaces = try Toolchain.modules.map { ($0, try toolchain.interface(of: $0)) } + PrintedInterface.all.get()
    for (module, text) in interfaces {
      let library = sdk.appending(path: "usr/lib/swift/\(module).swiftmodule")
      try FileManager.default.createDirectory(at: library, withIntermediateDirectories: true)
      try Toolchain.retargeted(text, for: triple).write(
        to: library.appending(path: platform.interfaceName(architecture: toolchain.architecture)), atomically: false,
        encoding: .utf8)
    }
    let darwin = Self.sources.appending(path: "Darwin")
    for file in try FileManager.default.subpathsOfDirectory(atPath: darwin.path)
    where file.hasSuffix(".h") || file.hasSuffix(".modulemap") {
      let copy = headers.appending(path: file)
      try FileManager.default.createDirectory(at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: darwin.appending(path: file), to: copy)
    }
  }

  /// The compiler options of the stand-ins.
  private static let standInArguments = [
    "-enable-experimental-feature", "Lifetimes", "-experimental-skip-all-function-bodies",
  ]

  static let sources = Checkout.tests.appending(path: "StandIns")

  private var sdk: URL { folder.appending(path: "sdk") }
  private var headers: URL { sdk.appending(path: "usr/include") }
  private var modules: URL { folder.appending(path: "modules") }
}

extension StandInSDK {
  /// Makes modules of the stand-ins that there are.
  ///
  /// - Throws: A failure with the compiler's messages for one that is wrong.
  func makeModules() async throws {
    for module in Self.standIns {
      let source = Self.sources.appending(path: module)
      guard FileManager.default.fileExists(atPath: source.path) else { continue }
      let files = try FileManager.default.subpathsOfDirectory(atPath: source.path).filter { $0.hasSuffix(".swift") }
      let messages = try await emitModule(
        module, files.map { source.appending(path: $0) },
        ["-swift-version", "6", "-parse-as-library"] + Self.standInArguments)
      if messages.contains("error:") { throw CheckFailure("the stand-in of \(module) is wrong:\n\(messages)") }
    }
  }

  /// Checks the files of a module, makes the module, and returns what the compiler says.
  ///
  /// A module with errors is made as well, for those that import it.
  func emitModule(_ module: String, _ files: [URL], _ arguments: [String]) async throws -> String {
    let output = modules.appending(path: "\(module).swiftmodule").path
    return try await run(
      ["-emit-module", "-emit-module-path", output, "-experimental-allow-module-with-compiler-errors"]
        + ["-module-name", module] + arguments + files.map(\.path))
  }

  /// Checks one file as part of a module, and returns what the compiler says.
  func check(_ file: URL, in module: String, beside others: [URL], _ arguments: [String]) async throws -> String {
    try await run(
      ["-typecheck", "-module-name", module] + arguments + others.map(\.path) + ["-primary-file", file.path])
  }

  /// Checks files in C, and returns what the compiler says.
  func checkC(_ files: [URL], include: URL) async throws -> String {
    try await Compiler.run(
      "clang",
      ["-fsyntax-only", "-target", triple, "-isysroot", sdk.path, "-I", include.path, "-Wall", "-Werror"]
        + files.map(\.path))
  }

  private func run(_ arguments: [String]) async throws -> String {
    try await Compiler.run(
      "swiftc",
      ["-frontend"] + arguments + [
        "-target", triple, "-sdk", sdk.path, "-resource-dir", toolchain.resources,
        "-module-cache-path", folder.appending(path: "cache").path, "-I", modules.path,
        "-plugin-path", "\(toolchain.resources)/host/plugins", "-disable-objc-interop", "-Xcc", "-Wno-everything",
      ])
  }
}
