import FlagDomain
import Synchronization
import TestSupport
import Testing

@testable import FlagComposition

@Suite("CachedValues")
struct CachedValuesTests {
  private let cached = CachedValues()

  @Test("A value is found under its index, revision and type alone")
  func finds() {
    cached.store(42, at: 3, revision: 7)
    #expect(read(at: 3, revision: 7) == 42)
    #expect(read(at: 3, revision: 8) == Int?.none)
    #expect(read(at: 4, revision: 7) == Int?.none)
    #expect(read(at: 3, revision: 7) == UInt?.none)
    #expect(read(at: 3, revision: 7) == String?.none)
    cached.store(["a"], at: 4, revision: 7)
    #expect(read(at: 4, revision: 7) == ["a"])
    #expect(read(at: 4, revision: 6) == [String]?.none)
    #expect(read(at: 5, revision: 7) == [String]?.none)
    #expect(read(at: 4, revision: 7) == [Substring]?.none)
  }

  @Test("Values of every size come back whole")
  func keepsAnySize() {
    expectKept(
      revision: 1, true, UInt8.max, Int.min, 1.5 as Float, -0.1, Int128.max, Pair(left: 1, right: 2), Triple(), Unit(),
      Large(), Large(number: -1))
    expectKept(
      revision: 2, "", "fifteen bytes..", "sixteen bytes...", "a text beyond fifteen bytes", "fünfzehn bytes",
      ["a", "b"],
      Int?.none, Int?.some(3), String?.none, String?.some("some"), [String: Int](), Layout(), Object(3))
  }

  @Test("The first value cached for a revision stays, and a later one than that asked for")
  func keepsFirst() {
    cached.store(1, at: 0, revision: 2)
    cached.store("one", at: 0, revision: 2)
    cached.store(3, at: 0, revision: 1)
    #expect(read(at: 0, revision: 2) == 1)
    cached.store("two", at: 0, revision: 3)
    #expect(read(at: 0, revision: 3) == "two")
    cached.store(["first"], at: 1, revision: 2)
    cached.store(["second"], at: 1, revision: 2)
    cached.store(["earlier"], at: 1, revision: 1)
    #expect(read(at: 1, revision: 2) == ["first"])
  }

  @Test("Any index has its value", arguments: [0, 1, 15, 16, 63, 64, 65, 191, 192, 193, 100_000])
  func growsToAnyIndex(index: Int) {
    cached.store(index, at: index, revision: 1)
    #expect(read(at: index, revision: 1) == index)
    #expect(read(at: index + 1, revision: 1) == Int?.none)
    cached.store([index], at: index, revision: 1)
    #expect(read(at: index, revision: 1) == [index])
    #expect(read(at: index + 1, revision: 1) == [Int]?.none)
  }

  @Test("A thousand values whose indexes collide are all found")
  func keepsColliding() {
    for number in 0..<1000 { cached.store(["\(number)"], at: number * 1024, revision: 1) }
    for number in 0..<1000 { #expect(read(at: number * 1024, revision: 1) == ["\(number)"]) }
  }

  @Test("Plain values and short text are cached once for all threads, an object too, any other value by each thread")
  func keepsForThreads() {
    let object = Object(1)
    cached.store(1, at: 0, revision: 1)
    cached.store("short", at: 1, revision: 1)
    cached.store(object, at: 2, revision: 1)
    cached.store("a text beyond fifteen bytes", at: 3, revision: 1)
    onThreads(2) { _ in
      #expect(read(at: 0, revision: 1) == 1)
      #expect(read(at: 1, revision: 1) == "short")
      #expect(read(at: 2, revision: 1) == object)
      #expect(read(at: 3, revision: 1) == String?.none)
    }
  }

  @Test("More threads than there are numbers read what they keep")
  func servesManyThreads() {
    let cached = cached
    onThreads(ThreadNumbers.limit + 20) { thread in
      for revision in 1...3 as ClosedRange<UInt64> {
        let number = ThreadNumbers.all.current
        cached.store(Self.text(revision), at: thread, revision: revision)
        let value: [String] = cached.value(at: thread, revision: revision) { [] }
        // A thread that is given the number of one that has ended looks in a table of its own from then on.
        if number == ThreadNumbers.all.current { #expect(value == Self.text(revision)) }
      }
    }
  }

  @Test("Thousands of short threads leave no more values behind than there are numbers")
  func forgetsThreads() {
    let alive = Alive()
    do {
      let cached = CachedValues()
      // Not held by the threads, which let go of their closures a moment after they are waited for.
      withExtendedLifetime(cached) {
        for _ in 0..<Effort.rounds(30, thorough: 100, long: 1000) {
          onThreads(100) { [unowned cached] _ in cached.store(Counted(alive), at: 0, revision: 1) }
          // Tests beside this one may hold all numbers for a while: threads without one share a few tables more.
          #expect(alive.count.load(ordering: .relaxed) <= ThreadNumbers.limit + 16)
        }
        #expect(alive.count.load(ordering: .relaxed) > 0)
      }
    }
    #expect(alive.count.load(ordering: .relaxed) == 0)
    // Numbers that were not given back would be gone after the first 128 threads.
    let isGivenBack = Locked(false)
    for _ in 0..<1000 where !isGivenBack.withLock({ $0 }) {
      onThreads(1) { _ in if ThreadNumbers.all.current != nil { isGivenBack.withLock { $0 = true } } }
    }
    #expect(isGivenBack.withLock { $0 })
  }

  @Test("A value's own deinit may read and keep values")
  func entersItself() {
    let cached = cached
    for revision in 1...100 as ClosedRange<UInt64> {
      cached.store(
        [Witness { cached.store(["in deinit"], at: Int(revision), revision: revision) }], at: 0, revision: revision)
    }
    #expect(read(at: 99, revision: 99) == ["in deinit"])
  }

  @Test("Readers see whole values of the revision they ask for, whatever others do", arguments: [1, 2, 4, 8, 16])
  func readsWholeValues(threads: Int) {
    let cached = cached
    let newest = Race()
    onThreads(threads) { _ in
      for _ in 0..<2000 {
        // Now and then this thread is the first with a revision.
        let revision = UInt64(newest.progress.add(Int.random(in: 0...1), ordering: .relaxed).newValue + 1)
        let pair = cached.value(at: 0, revision: revision) {
          cached.store(Pair(left: revision, right: ~revision), at: 0, revision: revision)
          return Pair(left: revision, right: ~revision)
        }
        #expect(pair.left == revision && pair.right == ~revision)
        let texts = cached.value(at: 1, revision: revision) {
          cached.store(Self.text(revision), at: 1, revision: revision)
          return Self.text(revision)
        }
        #expect(texts == Self.text(revision))
        let object = cached.value(at: 2, revision: revision) {
          cached.store(Object(revision), at: 2, revision: revision)
          return Object(revision)
        }
        #expect(object.number == revision)
        // The type alternates, and so does the place of the cached value.
        if revision % 2 == 0 {
          #expect(cached.value(at: 3, revision: revision) { "\(revision)" } == "\(revision)")
          cached.store("\(revision)", at: 3, revision: revision)
        } else {
          #expect(cached.value(at: 3, revision: revision) { revision } == revision)
          cached.store(revision, at: 3, revision: revision)
        }
      }
    }
  }

  @Test("A value of two words is never half of one revision and half of another")
  func tearsNothing() async {
    let race = Race()
    let cached = cached
    let torn = await withTaskGroup(of: Int.self) { group in
      group.addTask {
        var torn = 0
        while !race.isDone.load(ordering: .relaxed) {
          let revision = UInt64(race.progress.load(ordering: .relaxed))
          let pair = cached.value(at: 0, revision: revision) { Pair(left: revision, right: ~revision) }
          if pair.left != revision || pair.right != ~revision { torn += 1 }
        }
        return torn
      }
      for revision in 1...200_000 as ClosedRange<UInt64> {
        cached.store(Pair(left: revision, right: ~revision), at: 0, revision: revision)
        race.progress.store(Int(revision), ordering: .relaxed)
      }
      race.isDone.store(true, ordering: .relaxed)
      return await group.reduce(0, +)
    }
    #expect(torn == 0)
  }

  private static func text(_ revision: UInt64) -> [String] { ["revision number \(revision)", "again \(revision)"] }

  private func read<Value: Sendable>(at index: Int, revision: UInt64) -> Value? {
    do {
      return try cached.value(at: index, revision: revision) { () throws -> Value in throw Missing() }
    } catch {
      return nil
    }
  }

  private func expectKept<each Value: Equatable & Sendable>(revision: UInt64, _ value: repeat each Value) {
    var index = 0
    for value in repeat each value {
      cached.store(value, at: index, revision: revision)
      #expect(read(at: index, revision: revision) == value)
      index += 1
    }
  }

  private struct Missing: Error {}
  private struct Pair: Equatable, Sendable { var left, right: UInt64 }
  private struct Triple: Equatable, Sendable { var (a, b, c) = (1, 2, 3) }
  private struct Unit: Equatable, Sendable {}
  private struct Layout: Equatable, Sendable { var (columns, title, tags) = (2, "a title beyond fifteen bytes", ["a"]) }
  private struct Large: Equatable, Sendable {
    var (title, tags, number, more) = ("a title beyond fifteen bytes", ["a"], 7, ["b": 2])
    init(number: Int = 7) { self.number = number }
  }

  private final class Object: Equatable, Sendable {
    let number: UInt64
    init(_ number: UInt64) { self.number = number }
    static func == (left: Object, right: Object) -> Bool { left === right }
  }

  private final class Alive: Sendable {
    let count = Atomic(0)
  }

  /// A value that counts how many of it there are.
  private struct Counted: Sendable {
    private let token: Token

    init(_ alive: Alive) { token = Token(alive) }

    private final class Token: Sendable {
      private let alive: Alive

      init(_ alive: Alive) {
        self.alive = alive
        alive.count.add(1, ordering: .relaxed)
      }

      deinit { alive.count.subtract(1, ordering: .relaxed) }
    }
  }

  private final class Witness: Sendable {
    private let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    deinit { body() }
  }
}

/// Values alone, each as if it were of a flag of its own type.
extension CachedValues {
  fileprivate func value<Value: Sendable>(
    at index: Int, revision: UInt64, else missing: () throws -> Value
  ) rethrows -> Value {
    try value(at: index, of: Value.self, revision: revision, else: missing)
  }

  fileprivate func store<Value: Sendable>(_ value: Value, at index: Int, revision: UInt64) {
    store(value, at: index, of: Value.self, revision: revision)
  }
}
