import FlagDomain
import Synchronization

/// The current state, read without a lock and without a write to memory that threads share.
///
/// Each thread has a copy of the state's own parts, in a word of its own. To read the state, it takes the copy out,
/// increments one reference count, and puts the copy back. Only at the first read after a change is the state itself,
/// which is behind a lock, read and copied.
///
/// No thread retains an old state, which may be megabytes, for long: a change empties each thread's word. A thread that
/// has taken its copy out at that moment puts it back and then checks the revision; the change stores the revision and
/// then checks the word. All four operations are sequentially consistent, so one of the two sees the other and empties
/// the word.
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
    guard let holder = copies.own else { return shared }
    let last = holder.pointee.exchange(nil)
    let state = if let last, last.revision == revision { last } else { shared.copied }
    // Releasing a state may release a provider's snapshot, whose deinit may read flags: then this runs recursively, and
    // has put a copy there.
    let inner = holder.pointee.exchange(state)
    let outdated = state.revision == revision ? nil : holder.pointee.exchange(nil)
    _ = consume inner
    _ = consume outdated
    return state
  }

  /// Publishes the next state; callers exclude each other.
  ///
  /// - Returns: The last state, which the caller releases when it holds no lock, before it calls ``forget()``.
  func replace(_ next: (FlagState) -> FlagState) -> FlagState {
    let (last, revision) = latest.withLock { latest in
      let last = latest
      latest = next(last)
      return (last, latest.revision)
    }
    latestRevision.store(revision, ordering: .sequentiallyConsistent)
    return last
  }

  /// Releases the copies of states that are no longer current.
  ///
  /// A copy of the current one may be released, too; its thread makes another.
  func forget() {
    copies.forEach { holder in _ = holder.forget() }
  }
}

/// A thread's copy; nil while it is taken out.
struct StateHolder: ~Copyable, Sendable {
  private let held = Atomic<Unmanaged<FlagState>?>(nil)

  deinit { _ = exchange(nil) }

  /// Returns the copy for the caller to release; writes nothing if there is no copy.
  borrowing func forget() -> FlagState? {
    held.load(ordering: .sequentiallyConsistent) == nil ? nil : exchange(nil)
  }

  borrowing func exchange(_ state: FlagState?) -> FlagState? {
    held.exchange(state.map(Unmanaged.passRetained), ordering: .sequentiallyConsistent)?.takeRetainedValue()
  }
}
