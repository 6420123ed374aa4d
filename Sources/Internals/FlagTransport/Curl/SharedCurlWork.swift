#if canImport(Glibc)
  import FlagDomain

  /// The work of all transports of this process, on one thread, which ends with the last of them.
  ///
  /// It is an exception to "no singleton", as the watches of files are: a thread with four descriptors for each service
  /// would add up. It holds no settings, no certificates and no state that a transport could see, and no code of its
  /// users runs on its thread.
  final class SharedCurlWork: Sendable {
    static let instance = SharedCurlWork()

    private let state = Locked<(work: CurlWork?, users: Int)>((nil, 0))

    /// Adds a user, and returns the work that all share.
    func join() -> CurlWork {
      state.withLock { state in
        let work = state.work ?? CurlWork()
        state = (work, state.users + 1)
        return work
      }
    }

    /// Removes a user; the last one ends the thread.
    func leave() {
      let last = state.withLock { state -> CurlWork? in
        state.users -= 1
        guard state.users == 0 else { return nil }
        defer { state.work = nil }
        return state.work
      }
      last?.end()
    }
  }
#endif
