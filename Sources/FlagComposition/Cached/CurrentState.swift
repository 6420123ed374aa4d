import FlagDomain
import Synchronization

/// The current state, read without a lock and without a write to memory that threads share.
///
/// Each thread has a copy of the state's own parts, in a word of its own. To read the state, it takes the copy out,
/// increments one reference count, and puts the copy back. Only the first two reads after a change read the state
/// itself, which is behind a lock, and the second of them copies it: many a change is followed by one read.
///
/// No thread retains an old state, which may be megabytes, for long: a change empties each thread's word. A thread that
/// has taken its copy out at that moment puts it back and then checks the revision; the change stores the revision and
/// then checks the word. All four operations are sequentially consistent, as is the taking of a thread's number before
/// them, so one of the two sees the other and empties the word.
struct CurrentState: ~Copyable, Sendable {
  private let latest: Locked<FlagState>
  private let latestRevision: Atomic<UInt64>
  private let copies = PerThread(StateHolder.init)

  init(_ state: FlagState) {
    latest = Locked(state)
    latestRevision = Atomic(state.revision)
  }

  var revision: UInt64 {
    @inline(__always) get { latestRevision.load(ordering: .sequentiallyConsistent) }
  }

  /// The current state itself, for code that changes it.
  var shared: FlagState { latest.withLock { $0 } }

  /// The current state, as the calling thread has it.
  var own: FlagState {
    guard let holder = unsafe copies.own else { return shared }
    let last = unsafe holder.pointee.exchange(nil)
    let state: FlagState
    if let last, last.revision == revision {
      state = last
    } else {
      let shared = shared
      guard unsafe holder.pointee.hasRead(shared.revision) else { return shared }
      state = shared.copied
    }
    // Releasing a state may release a provider's snapshot, whose deinit may read flags: then this runs recursively, and
    // has put a copy there.
    let inner = unsafe holder.pointee.exchange(state)
    let outdated = unsafe state.revision == revision ? nil : holder.pointee.exchange(nil)
    _ = consume inner
    _ = consume outdated
    return state
  }

  /// Publishes the next state; callers exclude each other.
  ///
  /// They hold the last one, and release it when they hold no lock, before they call ``forget()``.
  func replace(by next: FlagState) {
    latest.withLock { $0 = next }
    latestRevision.store(next.revision, ordering: .sequentiallyConsistent)
  }

  /// Releases the copies of states that are no longer current.
  ///
  /// A copy of the current one may be released, too; its thread makes another.
  func forget() {
    copies.forEach { holder in _ = holder.forget() }
  }
}

/// A thread's copy; nil while it is taken out.
///
/// Memory safety: the word owns one reference to the copy. An exchange passes that to the caller, and takes over
/// another one, so each has one owner at a time.
@safe
struct StateHolder: ~Copyable, Sendable {
  private let held = unsafe Atomic<Unmanaged<FlagState>?>(nil)
  /// The revision that the thread read last.
  private let lastRead = Atomic<UInt64>(0)

  deinit { _ = exchange(nil) }

  /// Returns the copy for the caller to release; writes nothing if there is no copy.
  borrowing func forget() -> FlagState? {
    unsafe held.load(ordering: .sequentiallyConsistent) == nil ? nil : exchange(nil)
  }

  /// Returns whether the thread has read a revision before, and from now on has.
  borrowing func hasRead(_ revision: UInt64) -> Bool { lastRead.exchange(revision, ordering: .relaxed) == revision }

  borrowing func exchange(_ state: FlagState?) -> FlagState? {
    unsafe held.exchange(state.map(Unmanaged.passRetained), ordering: .sequentiallyConsistent)?.takeRetainedValue()
  }
}
