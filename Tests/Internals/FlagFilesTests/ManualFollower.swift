import Dispatch
import FlagDomain
import Foundation

@testable import FlagFiles

/// What a follower delivers: texts, and the reasons why there was none.
enum Content: Equatable, ExpressibleByStringLiteral {
  case text(String)
  case failure(FileError.Reason)

  init(stringLiteral text: String) { self = .text(text) }

  init(_ content: Result<Data, FileError>) {
    switch content {
    case .success(let data): self = .text(String(decoding: data, as: UTF8.self))
    case .failure(let error): self = .failure(error.reason)
    }
  }
}

/// A follower that looks at its file when a test says so, and can use contents of a kind only.
final class ManualFollower: Sendable {
  struct Unusable: Error { var content: Content }

  /// The looks that are due.
  private final class Schedule: Sendable {
    let entries = Locked<[(delay: Duration, run: @Sendable () -> Void)]>([])
    let isInBackground = Locked(false)
    let contents = Locked<[Content]>([])
    let errors = Locked<[Content]>([])
  }

  private let schedule = Schedule()
  private let follower: FileFollower

  init(
    _ file: SharedFile, known: String? = nil, polling: Duration = .seconds(1),
    canUse: @escaping @Sendable (Content) -> Bool = { _ in true }, onContent: @escaping @Sendable () -> Void = {}
  ) {
    let system = FollowerSystem(
      schedule: { [schedule] delay, queue, work in
        schedule.entries.withLock { $0.append((delay, { queue.sync(execute: work) })) }
      }, isInBackground: { [schedule] in schedule.isInBackground.withLock { $0 } })
    follower = FileFollower(file, known: known.map { Data($0.utf8) }, polling: polling, system: system) {
      [schedule] content throws(Unusable) in
      let content = Content(content)
      schedule.contents.withLock { $0.append(content) }
      onContent()
      if !canUse(content) { throw Unusable(content: content) }
    } onError: { [schedule] error in
      schedule.errors.withLock { $0.append(error.content) }
    }
  }

  convenience init(_ url: URL, known: String? = nil) { self.init(SharedFile(url), known: known) }
}

extension ManualFollower {
  /// Has the file looked at, as if the time had come.
  func look() {
    let entries = schedule.entries.withLock { entries in
      defer { entries = [] }
      return entries
    }
    for entry in entries { entry.run() }
  }

  func close() { follower.close() }

  /// The times after which looks are due.
  var delays: [Duration] { schedule.entries.withLock { $0.map(\.delay) } }

  var isInBackground: Bool {
    get { schedule.isInBackground.withLock { $0 } }
    set { schedule.isInBackground.withLock { $0 = newValue } }
  }

  /// Takes what was delivered since the last call.
  func contents() -> [Content] { Self.take(schedule.contents) }

  /// Takes the errors that were reported since the last call.
  func errors() -> [Content] { Self.take(schedule.errors) }

  private static func take(_ list: borrowing Locked<[Content]>) -> [Content] {
    list.withLock { list in
      defer { list = [] }
      return list
    }
  }
}
