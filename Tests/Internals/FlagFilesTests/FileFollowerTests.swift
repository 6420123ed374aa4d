import Dispatch
import Foundation
import Testing

@testable import FlagFiles

@Suite("Following a file", .timeLimit(.minutes(15)))
struct FileFollowerTests {
  private let folder: TemporaryFolder
  private let contents = ContentStream()

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "Notices each way in which others change a file, whether the system's events name it or not", arguments: Move.all,
    SharedWatches.Kind.allCases)
  func notices(move: Move, events: SharedWatches.Kind) async throws {
    try await folder.run(move.before)
    let system = WatcherSystem(watches: events.watches)
    let follower = try FileFollower(
      SharedFile(folder.url(move.file)), settling: .milliseconds(10), system: system
    ) { [contents] in contents.record($0) }
    if let content = move.content { #expect(await contents.next() == .success(Data(content.utf8))) }
    async let script: Void = folder.run(move.after)
    #expect(await contents.reaches("2"))
    if move.after.hasSuffix("cat end") { try await folder.run(": > end") }
    try await script
    // The result of the change is followed, too.
    try folder.write("3", to: move.file)
    #expect(await contents.reaches("3"))
    follower.close()
  }

  @Test("A missing file is reported, then its content, and that it is missing again")
  func tellsOfAbsence() async throws {
    let url = folder.url("flags.json")
    let missing = Result<Data, FileError>.failure(FileError(.read, url.path, .missing))
    let follower = try FileFollower(url, into: contents)
    #expect(await contents.next() == missing)
    try folder.write("1", to: "flags.json")
    #expect(await contents.reaches("1"))
    try FileManager.default.removeItem(at: url)
    #expect(await contents.next() == missing)
    try folder.write("1", to: "flags.json")
    #expect(await contents.reaches("1"))
    follower.close()
  }

  @Test("An edit between the caller's reading and the following is handed over before that begins")
  func losesNoEarlierEdit() async throws {
    let url = try folder.write("2", to: "flags.json")
    _ = try FileFollower(url, known: "1", into: contents)
    #expect(await contents.rest() == [.success(Data("2".utf8))])
  }

  @Test("What is known is not handed over, nor is the same content twice")
  func tellsNewsAlone() async throws {
    let url = try folder.write("1", to: "flags.json")
    let follower = try FileFollower(url, known: "1", into: contents)
    for text in ["1", "1", "2"] { try await folder.run("printf \(text) > new; mv new flags.json") }
    #expect(await contents.reaches("2"))
    follower.close()
    #expect(await contents.rest() == [])
  }

  @Test("Edits while a follower is being made end on the last one, 200 times of 200")
  func losesNoEdit() async throws {
    for round in 0..<200 {
      let url = try folder.write("", to: "\(round)")
      let contents = ContentStream()
      DispatchQueue.global().async { [folder] in
        for text in ["1", "2", "last"] { #expect(throws: Never.self) { try folder.write(text, to: "\(round)") } }
      }
      let follower = try FileFollower(url, into: contents)
      #expect(await contents.reaches("last"))
      follower.close()
    }
  }

  @Test("A writer that keeps the file open counts when it closes it, or when its time is over")
  func letsWritersFinish() async throws {
    // By a process that is gone: a file that this one closes stays open in a child that another test begins meanwhile,
    // and is closed for good, and handed over, when that child runs its program.
    try await folder.run("printf 1 > flags.json")
    let url = folder.url("flags.json")
    let follower = try FileFollower(url, known: "1", settling: .seconds(3600), into: contents)
    let writer = try FileHandle(forWritingTo: url)
    try writer.truncate(atOffset: 0)
    try writer.write(contentsOf: Data("half".utf8))
    // Seen by another one, and so by the system; the first one waits.
    let hasty = ContentStream()
    let other = try FileFollower(url, known: "1", settling: .zero, into: hasty)
    #expect(await hasty.reaches("half"))
    try writer.write(contentsOf: Data(" and whole".utf8))
    #expect(await hasty.reaches("half and whole"))
    try writer.close()
    #expect(await contents.next() == .success(Data("half and whole".utf8)))
    follower.close()
    other.close()
  }

  @Test("A file that cannot be handed over is an error, and no end")
  func tellsOfErrors() async throws {
    let url = try folder.write("12345", to: "flags.json")
    let contents = contents
    let follower = try FileFollower(SharedFile(url, limit: 4)) { contents.record($0) }
    #expect(await contents.next() == .failure(FileError(.read, url.path, .tooLarge(limit: 4))))
    try await folder.run("rm flags.json; mkfifo flags.json")
    while case .failure(let error)? = await contents.next(), error.reason != .special {}
    try await folder.run("rm flags.json; mkdir flags.json")
    while case .failure(let error)? = await contents.next(), error.reason != .directory {}
    try await folder.run("rmdir flags.json; printf 1234 > flags.json")
    #expect(await contents.reaches("1234"))
    follower.close()
  }

  @Test("1,000 edits end on the last one")
  func endsOnNewest() async throws {
    let url = try folder.write("0", to: "flags.json")
    let follower = try FileFollower(url, into: contents)
    try await folder.run("i=0; while [ $i -lt 1000 ]; do i=$((i + 1)); printf $i > flags.json; done")
    #expect(await contents.reaches("1000"))
    follower.close()
  }
}
