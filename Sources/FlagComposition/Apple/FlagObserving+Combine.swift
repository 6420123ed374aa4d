#if canImport(Combine)
  public import Combine
  import Dispatch
  public import FlagDomain
  import Foundation

  extension FlagObserving {
    /// Publishes the values of a flag: the current one first, then each that differs from the one before.
    ///
    /// A subscriber on the main thread receives the current value while it subscribes, so that a view never shows
    /// another one. All other values are delivered on the main queue, in order. Each subscriber has its own
    /// subscription to the changes.
    public func publisher<F: FeatureFlag>(of flag: F) -> AnyPublisher<F.Value, Never> where F.Value: Equatable {
      onMain { self.values(of: flag).startingNow() }
    }

    /// Publishes the values of a flag on a scheduler: the current one first, then each that differs.
    ///
    /// Each subscriber has its own subscription to the changes. No value is delivered while it subscribes.
    public func publisher<F: FeatureFlag>(
      of flag: F, on scheduler: some Scheduler
    ) -> AnyPublisher<F.Value, Never> where F.Value: Equatable {
      Deferred { following(self.values(of: flag)) }.receive(on: scheduler).eraseToAnyPublisher()
    }
  }

  extension FeatureFlagClient {
    /// Publishes a set of flags: as it is first, then after each change of one of its flags; each is a snapshot.
    ///
    /// A subscriber on the main thread receives the set while it subscribes. All others are delivered on the main
    /// queue, in order; use `map` and `removeDuplicates` to publish a single property.
    public func publisher<Flags: FlagSet>(of set: Flags.Type) -> AnyPublisher<Flags, Never> {
      onMain { self.values(of: set).startingNow() }
    }
  }

  /// Publishes an available element, and those that follow it.
  private func onMain<Later: AsyncSequence & Sendable>(
    _ start: @escaping () -> (now: Later.Element, later: Later)?
  ) -> AnyPublisher<Later.Element, Never> where Later.Failure == Never, Later.Element: Sendable {
    Deferred { () -> AnyPublisher<Later.Element, Never> in
      guard let (now, later) = start() else { return Empty().eraseToAnyPublisher() }
      let rest = Deferred { following(later) }
      if Thread.isMainThread { return rest.receive(on: DispatchQueue.main).prepend(now).eraseToAnyPublisher() }
      return rest.prepend(now).receive(on: DispatchQueue.main).eraseToAnyPublisher()
    }
    .eraseToAnyPublisher()
  }

  /// Publishes the elements of a sequence on threads of the concurrency pool.
  private func following<Elements: AsyncSequence & Sendable>(
    _ elements: Elements
  ) -> AnyPublisher<Elements.Element, Never> where Elements.Failure == Never, Elements.Element: Sendable {
    let latest = Latest<Elements.Element>()
    let task = Task {
      for await element in elements { latest.subject.send(element) }
      latest.subject.send(completion: .finished)
    }
    return latest.subject.compactMap { $0 }.handleEvents(receiveCancel: { task.cancel() }).eraseToAnyPublisher()
  }

  /// Unchecked, since Combine does not mark its subjects: `send` may be called from any thread, and only one task calls
  /// it.
  private struct Latest<Value: Sendable>: @unchecked Sendable {
    let subject = CurrentValueSubject<Value?, Never>(nil)
  }
#endif
