import FlagSupport
import FlagThreads
import Synchronization

/// Small numbers for threads: each is unique while its thread lives, and reused afterwards.
///
/// The data under a number belongs to the thread that has it. A thread takes a number at its first request, and gives
/// it back when it ends, so a million short-lived threads use no more numbers than threads that live at once. Giving
/// back is a release and taking is an acquire of the same word: the next owner sees all that the last one wrote.
struct ThreadNumbers: Sendable {
  /// The maximum number of threads that have a number; another thread has none until one of these ends.
  static let limit = 128

  /// The numbers of the process.
  static let all = ThreadNumbers()

  /// The key under which a thread stores its number plus one; nil if the process has no such key left.
  private let key: pthread_key_t?

  private init() {
    var key = pthread_key_t()
    let failure = unsafe pthread_key_create(&key) {
      flag_thread_word_set(0)
      Self.release(Int(bitPattern: $0) - 1)
    }
    self.key = failure == 0 ? key : nil
  }

  /// The calling thread's number, which it takes if necessary; nil if no number is left.
  @inline(__always)
  var current: Int? { held ?? take() }

  /// The number that the calling thread has; nil if it has not taken one.
  @inline(__always)
  var held: Int? {
    let word = flag_thread_word_get()
    return word == 0 ? nil : word &- 1
  }

  /// The end of the numbers that were ever taken: a number is below it before its thread uses it.
  static var end: Int { taken.load(ordering: .sequentiallyConsistent) }

  private static let taken = Atomic(0)
  /// The numbers in use, one bit each.
  private static let low = Atomic<UInt64>(0)
  private static let high = Atomic<UInt64>(0)

  @inline(never)
  private func take() -> Int? {
    guard let key, let number = Self.take(from: Self.low) ?? Self.take(from: Self.high).map({ $0 + 64 }) else {
      return nil
    }
    if unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: number + 1)) == 0 {
      Self.taken.max(number + 1, ordering: .sequentiallyConsistent)
      flag_thread_word_set(number + 1)
      return number
    }
    Self.release(number)
    return nil
  }

  private static func take(from word: borrowing Atomic<UInt64>) -> Int? {
    var taken = word.load(ordering: .relaxed)
    while taken != .max {
      let free = (~taken).trailingZeroBitCount
      let (isTaken, now) = word.weakCompareExchange(
        expected: taken, desired: taken | 1 << UInt64(free), successOrdering: .acquiring, failureOrdering: .relaxed)
      if isTaken { return free }
      taken = now
    }
    return nil
  }

  private static func release(_ number: Int) {
    if number < 64 {
      low.bitwiseXor(1 << UInt64(number), ordering: .releasing)
    } else {
      high.bitwiseXor(1 << UInt64(number - 64), ordering: .releasing)
    }
  }
}
