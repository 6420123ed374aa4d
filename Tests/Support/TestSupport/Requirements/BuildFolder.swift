package import Foundation

/// The products that were built along with the tests, and their toolchain.
package enum BuildFolder {
  /// The folders around the tests' own program, innermost first.
  private static let folders = Array(
    sequence(first: URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()) {
      $0.deletingLastPathComponent()
    }.prefix { $0.path != "/" })

  /// Returns the first of files that is beside the tests, by its path from the folder of products.
  private static func first(_ paths: String...) -> URL? {
    folders.lazy.flatMap { folder in paths.map { folder.appending(path: $0) } }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }

  /// Returns an executable product.
  ///
  /// - Throws: Where it was not built.
  package static func product(_ name: String) throws -> URL {
    guard let product = first(name), FileManager.default.isExecutableFile(atPath: product.path) else {
      throw Requirement.Missing(description: "\(name) was not built beside the tests: run swift build first")
    }
    return product
  }

  /// The folder of the modules, as macros are used in them.
  package static let modules = first("Modules/FlagMacros.swiftmodule", "Modules-tool/FlagMacros.swiftmodule")?
    .deletingLastPathComponent()

  /// The plugin that expands macros.
  package static let plugin = first("FlagMacrosPlugin-tool", "FlagMacrosPlugin")

  /// The compiler, `swiftc`.
  package static let compiler = toolchains.lazy.map { $0.appending(path: "bin/swiftc") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }

  /// The `usr` folders of toolchains: that of the library that the tests run with, then those of the path.
  private static let toolchains: [URL] = {
    let path = InstalledProgram.pathFolders.map { "\($0)/swift" }.filter(FileManager.default.isExecutableFile)
      .map { URL(filePath: $0).resolvingSymlinksInPath().deletingLastPathComponent().deletingLastPathComponent() }
    return (runtime.map { [$0] } ?? []) + path
  }()

  /// The `usr` folder around `usr/lib/swift/linux/libswiftCore.so`, which is loaded; nil if the system has its own.
  private static let runtime: URL? = {
    guard let maps = FileManager.default.contents(atPath: "/proc/self/maps") else { return nil }
    let paths = String(decoding: maps, as: UTF8.self).split(separator: "\n").compactMap { line in
      line.firstIndex(of: "/").map { String(line[$0...]) }
    }
    return paths.first { $0.hasSuffix("/lib/swift/linux/libswiftCore.so") }
      .map { (0..<4).reduce(URL(filePath: $0)) { url, _ in url.deletingLastPathComponent() } }
  }()
}
