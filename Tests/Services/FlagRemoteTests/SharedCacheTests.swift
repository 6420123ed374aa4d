import FlagDomain
@testable import FlagServices
import Foundation
import TestSupport
import Testing

@Suite("One folder for two processes", .timeLimit(.minutes(15)))
struct SharedCacheTests {
  @Test("Of many writers to one folder none loses its answer, and of one answer the newest stays, whole at every read")
  func shares() async throws {
    let folder = CacheFolder()
    let keys = (0..<2).map { CacheKey(["service"], context: ["targetingKey": .string("user \($0)")]) }
    let shared = CacheKey(["service"], context: [:])
    // Each has a cache of its own, as each process has; the lock counts for both alike.
    try await withThrowingTaskGroup { group in
      for writer in 0..<2 {
        group.addTask {
          let cache = AnswerCache(in: folder.url)
          for time in 1...60 {
            let body = [UInt8](repeating: UInt8(writer), count: time * 100)
            try cache.store(body, tag: nil, fetchedAt: Int64(time), for: keys[writer])
            try cache.store(body, tag: "\(writer)", fetchedAt: Int64(time), for: shared)
            let entry = try cache.entry(for: shared, now: Int64(time))
            guard let entry, entry.fetchedAt >= time, entry.body.count == entry.fetchedAt * 100,
              entry.body.allSatisfy({ "\($0)" == entry.tag })
            else {
              Issue.record("expected a whole answer, \(time) or newer, found \(entry?.fetchedAt ?? -1)")
              return
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let cache = AnswerCache(in: folder.url)
    for (writer, key) in keys.enumerated() {
      let body = [UInt8](repeating: UInt8(writer), count: 6_000)
      #expect(try cache.entry(for: key, now: 60) == CacheEntry(tag: nil, fetchedAt: 60, body: body))
    }
    #expect(try cache.entry(for: shared, now: 60)?.fetchedAt == 60)
  }
}
