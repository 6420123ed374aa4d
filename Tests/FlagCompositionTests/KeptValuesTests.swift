import Synchronization
import Testing

@testable import FlagComposition

@Suite("KeptValues")
struct KeptValuesTests {
  private let kept = KeptValues()

  @Test("A value is found under its index, revision and type alone")
  func finds() {
    kept.keep(42, at: 3, revision: 7)
    #expect(read(at: 3, revision: 7) == 42)
    #expect(read(at: 3, revision: 8) == Int?.none)
    #expect(read(at: 4, revision: 7) == Int?.none)
    #expect(read(at: 3, revision: 7) == UInt?.none)
    #expect(read(at: 3, revision: 7) == String?.none)
  }

  @Test("Values of every size come back whole")
  func keepsAnySize() {
    expectKept(
      revision: 1, true, UInt8.max, Int.min, 1.5 as Float, -0.1, Int128.max, Pair(left: 1, right: 2), Triple(), Unit())
    expectKept(
      revision: 2, "", "a text beyond fifteen bytes", ["a", "b"], Int?.none, Int?.some(3), String?.none, [String: Int]()
    )
  }

  @Test("The first value kept for a revision stays")
  func keepsFirst() {
    kept.keep(1, at: 0, revision: 1)
    kept.keep("one", at: 0, revision: 1)
    #expect(read(at: 0, revision: 1) == 1)
    kept.keep("two", at: 0, revision: 2)
    #expect(read(at: 0, revision: 2) == "two")
  }

  @Test("Any index has its place", arguments: [0, 1, 63, 64, 65, 191, 192, 193, 100_000])
  func growsToAnyIndex(index: Int) {
    kept.keep(index, at: index, revision: 1)
    #expect(read(at: index, revision: 1) == index)
    #expect(read(at: index + 1, revision: 1) == Int?.none)
  }

  @Test("Readers see whole values of the revision they ask for, whatever a writer does meanwhile")
  func readsWholeValues() async {
    let race = Race()
    let kept = kept
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          while !race.isDone.load(ordering: .acquiring) {
            let revision = UInt64(race.progress.load(ordering: .acquiring))
            let pair = kept.value(at: 0, revision: revision) { Pair(left: revision, right: ~revision) }
            #expect(pair.left == revision && pair.right == ~revision)
            let text = kept.value(at: 1, revision: revision) { Self.text(revision) }
            #expect(text == Self.text(revision))
            // The type of this slot alternates.
            let number = kept.value(at: 2, revision: revision) { revision }
            #expect(number == revision)
          }
        }
      }
      for revision in 1...3000 as ClosedRange<UInt64> {
        kept.keep(Pair(left: revision, right: ~revision), at: 0, revision: revision)
        kept.keep(Self.text(revision), at: 1, revision: revision)
        if revision % 2 == 0 {
          kept.keep(revision, at: 2, revision: revision)
        } else {
          kept.keep(Self.text(revision), at: 2, revision: revision)
        }
        race.progress.store(Int(revision), ordering: .releasing)
      }
      race.isDone.store(true, ordering: .releasing)
    }
  }

  @Test("A value of two words is never half of one revision and half of another")
  func tearsNothing() async {
    let race = Race()
    let kept = kept
    let torn = await withTaskGroup(of: Int.self) { group in
      group.addTask {
        var torn = 0
        while !race.isDone.load(ordering: .relaxed) {
          let revision = UInt64(race.progress.load(ordering: .relaxed))
          let pair = kept.value(at: 0, revision: revision) { Pair(left: revision, right: ~revision) }
          if pair.left != revision || pair.right != ~revision { torn += 1 }
        }
        return torn
      }
      for revision in 1...200_000 as ClosedRange<UInt64> {
        kept.keep(Pair(left: revision, right: ~revision), at: 0, revision: revision)
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
      return try kept.value(at: index, revision: revision) { () throws -> Value in throw Missing() }
    } catch {
      return nil
    }
  }

  private func expectKept<each Value: Equatable & Sendable>(revision: UInt64, _ value: repeat each Value) {
    var index = 0
    for value in repeat each value {
      kept.keep(value, at: index, revision: revision)
      #expect(read(at: index, revision: revision) == value)
      index += 1
    }
  }

  private struct Missing: Error {}
  private struct Pair: Equatable, Sendable { var left, right: UInt64 }
  private struct Triple: Equatable, Sendable { var (a, b, c) = (1, 2, 3) }
  private struct Unit: Equatable, Sendable {}
}
