import Foundation
import Testing

@testable import FlagFiles

@Suite("The file behind a path")
struct SharedFileTargetTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "A path is followed to where its file is, or can be made, through directories and links",
    arguments: [
      ("a//b/./f", "a/b/f"), ("a/b/missing", "a/b/missing"), ("a/../a/b/f", "a/b/f"), ("current/link", "a/f"),
      ("absolute", "a/missing"), ("a/b/\u{338}f", "a/b/\u{338}f"), ("chain", "a/f"), ("a/b/f/", "a/b/f"),
    ])
  func resolves(path: String, target: String) async throws {
    try await folder.run(
      """
      mkdir -p a/b; printf 1 > a/b/f; printf 2 > a/f
      ln -s a/b current; ln -s ../f a/b/link; ln -s "$PWD/a/missing" absolute; ln -s current/link chain
      """)
    #expect(try SharedFile(folder.url(path)).target() == "\(folder.path)/\(target)")
  }

  @Test(
    "A path that leads to no file is an error",
    arguments: [
      ("", .directory), ("a", .directory), ("a/..", .directory), ("f/x", .system(ENOTDIR)), ("missing/x", .missing),
      ("loop", .system(ELOOP)), ("f\0", .system(EINVAL)), (String(repeating: "x", count: 300), .system(ENAMETOOLONG)),
    ] as [(String, FileError.Reason)])
  func refuses(path: String, reason: FileError.Reason) async throws {
    try await folder.run("mkdir a; printf 1 > f; ln -s loop loop")
    let file = SharedFile(folder.url(path))
    #expect(throws: FileError(.write, file.path, reason)) { try file.target() }
  }
}
