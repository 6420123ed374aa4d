#if canImport(Combine)
  public import Combine
  public import FlagDomain

  extension FlagObserving {
    /// Publishes the values of a flag: the current one first, then each that differs from the one before.
    ///
    /// Each subscriber follows for itself, and receives values on a thread of the concurrency pool.
    public func publisher<F: FeatureFlag>(of flag: F) -> AnyPublisher<F.Value, Never> where F.Value: Equatable {
      Deferred {
        let latest = Latest<F.Value>()
        let values = values(of: flag)
        let task = Task {
          for await value in values { latest.subject.send(value) }
          latest.subject.send(completion: .finished)
        }
        return latest.subject.compactMap { $0 }.handleEvents(receiveCancel: { task.cancel() })
      }
      .eraseToAnyPublisher()
    }
  }

  /// Unchecked, since Combine does not mark its subjects: `send` may be called from any thread, and one task alone
  /// does.
  private struct Latest<Value: Sendable>: @unchecked Sendable {
    let subject = CurrentValueSubject<Value?, Never>(nil)
  }
#endif
