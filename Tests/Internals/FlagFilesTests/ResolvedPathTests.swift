import Foundation
import Testing

@testable import FlagFiles

@Suite("The way to a file")
struct ResolvedPathTests {
  @Test("Every name that decides which file it is, is a step", arguments: Way.all)
  func resolves(way: Way) {
    let resolved = ResolvedPath(of: way.path) { way.entries[$0.path] ?? .failure(.missing) }
    #expect(resolved.steps.map(\.path) == way.steps)
    #expect(resolved.end == way.end)
  }

  @Test("A way through too many links ends")
  func endsLoops() {
    let resolved = ResolvedPath(of: "/a") { _ in .link(to: "a/b") }
    #expect(resolved.end == .failure(.system(ELOOP)))
    #expect(resolved.steps.count == ResolvedPath.maximumLinks + 1)
  }

  @Test("An error of a look-up ends the resolving at once")
  func passesErrorsOn() {
    #expect(throws: FileError.Reason.special) {
      try ResolvedPath(of: "/a/b") { _ throws(FileError.Reason) in throw .special }
    }
  }

  @Test("Names in the file system are what they are, and what they are links to")
  func looksUp() async throws {
    let folder = try TemporaryFolder()
    try await folder.run("printf 1 > file; mkdir directory; ln -s nothing/there link; mkfifo pipe")
    func entry(_ name: String) -> ResolvedPath.Entry { ResolvedPath.Step(directory: folder.path, name: name).entry() }
    #expect(
      ["file", "directory", "link", "pipe"].map(entry) == [.file, .directory, .link(to: "nothing/there"), .file])
    #expect(entry("missing") == .failure(.missing))
    #expect(entry("file\0") == .failure(.system(EINVAL)))
    #expect(entry(String(repeating: "x", count: 300)) == .failure(.system(ENAMETOOLONG)))
    #expect(ResolvedPath.Step(directory: "\(folder.path)/file", name: "x").entry() == .failure(.system(ENOTDIR)))
  }
}

/// A path in a file system of a few entries, and its target.
struct Way: CustomTestStringConvertible, Sendable {
  let path: String
  let entries: [String: ResolvedPath.Entry]
  let steps: [String]
  let end: ResolvedPath.End

  var testDescription: String { path }
}

extension Way {
  static let all = [
    Way(path: "/", entries: [:], steps: [], end: .directory),
    Way(
      path: "/a//b/./f", entries: ["/a": .directory, "/a/b": .directory, "/a/b/f": .file],
      steps: ["/a", "/a/b", "/a/b/f"], end: .file),
    Way(path: "/a/b/f", entries: ["/a": .directory], steps: ["/a", "/a/b"], end: .failure(.missing)),
    Way(path: "/a/f", entries: ["/a": .directory], steps: ["/a", "/a/f"], end: .absent),
    Way(path: "/a/f", entries: ["/a": .file], steps: ["/a"], end: .failure(.system(ENOTDIR))),
    Way(path: "/a/f", entries: ["/a": .failure(.system(EACCES))], steps: ["/a"], end: .failure(.system(EACCES))),
    Way(path: "/a/../../f", entries: ["/a": .directory, "/f": .file], steps: ["/a", "/f"], end: .file),
    Way(
      path: "/current/f",
      entries: [
        "/current": .link(to: "v/1"), "/v": .directory, "/v/1": .directory, "/v/1/f": .link(to: "../f"),
        "/v/f": .file,
      ],
      steps: ["/current", "/v", "/v/1", "/v/1/f", "/v/f"], end: .file),
    Way(
      path: "/a/f", entries: ["/a": .directory, "/a/f": .link(to: "/b/f"), "/b": .directory],
      steps: ["/a", "/a/f", "/b", "/b/f"], end: .absent),
    Way(path: "/a/\u{338}f", entries: ["/a": .directory], steps: ["/a", "/a/\u{338}f"], end: .absent),
  ]
}
