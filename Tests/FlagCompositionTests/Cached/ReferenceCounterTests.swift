import FlagCounters
import TestSupport
import Testing

/// The benchmarks' counter of retains and releases; each test runs in its own process, without other code.
@Suite("Counting references", .needs(.referenceCounter))
struct ReferenceCounterTests {
  #if os(macOS) || os(Linux)
    @Test("Every retain and every release of an object is counted, and none of another time's")
    func countsEach() async {
      await #expect(processExitsWith: .success) {
        let object = Unmanaged.passRetained(Object())
        func count(_ rounds: Int) -> Int {
          references(of: object) {
            for _ in 0..<rounds {
              _ = object.retain()
              object.release()
            }
          }
        }
        // Code that is not optimized may do some more in each round.
        let (none, one, five) = (count(0), count(1), count(5))
        #expect(one - none >= 2 && five - none == 5 * (one - none))
        // Operations outside of the recording are not counted.
        for _ in 0..<1000 {
          _ = object.retain()
          object.release()
        }
        #expect(count(0) == none)
      }
    }

    @Test("An object that is copied, as reading a cached array copies it, is counted")
    func countsCopies() async {
      await #expect(processExitsWith: .success) {
        let object = Object()
        var copies: [Object] = []
        copies.reserveCapacity(4)
        let counted = references(of: .passUnretained(object)) {
          for _ in 0..<4 { copies.append(object) }
        }
        #expect(counted >= 4)
        #expect(copies.count == 4)
      }
    }

    @Test("A task and an error are objects, too, and survive being counted")
    func countsTasks() async {
      await #expect(processExitsWith: .success) {
        struct Failure: Error { let text: String }
        let object = Object()
        for round in 0..<100 {
          reference_counter_begin()
          let task = Task {
            if round >= 0 { throw Failure(text: "\(object) in a text of more than fifteen bytes") }
          }
          _ = reference_counter_end(nil, 0)
          let result = await task.result
          #expect(throws: Failure.self) { try result.get() }
        }
      }
    }
  #endif

  private final class Object: Sendable {}
}

/// Returns how often the calling thread retains and releases an object.
private func references<Counted: AnyObject>(of object: Unmanaged<Counted>, during work: () -> Void) -> Int {
  var counts = [reference_count](repeating: reference_count(), count: 256)
  reference_counter_begin()
  work()
  let count = reference_counter_end(&counts, counts.count)
  return counts.prefix(count).first { $0.object == UnsafeRawPointer(object.toOpaque()) }.map { Int($0.count) } ?? 0
}

extension Requirement {
  fileprivate static let referenceCounter = Requirement(
    "reference-counter", "references cannot be counted here: on this platform, or under the thread sanitizer"
  ) { reference_counter_is_available() }
}
