import Foundation
import Synchronization
import Testing

@testable import FlagDomain

@Suite("Locked")
struct LockedTests {
  @Test("No increment of many threads is lost", arguments: [1, 2, 16])
  func excludes(threads: Int) {
    let counter = Counter()
    let finished = DispatchSemaphore(value: 0)
    for _ in 0..<threads {
      Thread.detachNewThread {
        for _ in 0..<2000 { counter.count.withLock { $0 += 1 } }
        finished.signal()
      }
    }
    for _ in 0..<threads { finished.wait() }
    #expect(counter.count.withLock { $0 } == threads * 2000)
  }

  @Test("The value is freed with the lock, whatever its alignment")
  func frees() {
    weak var content: Content?
    do {
      let locked = Locked((UInt8(1), Content?.none))
      let new = Content()
      locked.withLock { $0 = (2, new) }
      content = new
      #expect(locked.withLock { $0.0 } == 2)
      #expect(content != nil)
    }
    #expect(content == nil)
  }

  @Test("An error leaves the lock open")
  func throwsOn() {
    let locked = Locked(0)
    #expect(throws: Failure.self) {
      try locked.withLock { value throws(Failure) in
        value = 1
        throw Failure()
      }
    }
    #expect(locked.withLock { $0 } == 1)
  }

  #if canImport(Glibc)
    @Test("A value of no size has an address within the lock's own memory")
    func holdsNothing() throws {
      let symbol = try #require(dlsym(nil, "malloc_usable_size"))
      let usableSize = unsafeBitCast(symbol, to: (@convention(c) (UnsafeMutableRawPointer?) -> Int).self)
      let locked = Locked(())
      #expect(usableSize(locked.mutex) > Locked<Void>.offset)
    }
  #endif

  private final class Counter: Sendable { let count = Locked(0) }
  private final class Content: Sendable {}
  private struct Failure: Error {}
}
