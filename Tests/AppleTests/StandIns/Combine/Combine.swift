// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A stand-in for the part of Combine that this package uses: names and types as Apple documents them, and the behaviour
// that is documented of them: when a subscriber is called, and on which thread. It is there so that code for Apple's
// systems is type-checked and runs where Combine is not. Demand is left out: every subscriber wants all values.

import Dispatch
import Foundation

public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error
  /// In place of subscribers: calls closures with values and the end, until what is returned is cancelled.
  func subscribe(_ value: @escaping (Output) -> Void, _ end: @escaping () -> Void) -> AnyCancellable
}

public final class AnyCancellable {
  private let lock = NSLock()
  private var action: (() -> Void)?
  public init(_ cancel: @escaping () -> Void) { action = cancel }
  deinit { action?() }

  public func cancel() {
    let action = lock.withLock {
      defer { self.action = nil }
      return self.action
    }
    action?()
  }
}

public enum Subscribers {
  public enum Completion<Failure: Error> { case finished, failure(Failure) }
}

extension Publisher where Failure == Never {
  public func sink(receiveValue: @escaping ((Output) -> Void)) -> AnyCancellable { subscribe(receiveValue) {} }
}

// MARK: - Publishers

public struct AnyPublisher<Output, Failure: Error>: Publisher {
  let body: (@escaping (Output) -> Void, @escaping () -> Void) -> AnyCancellable
  public func subscribe(_ value: @escaping (Output) -> Void, _ end: @escaping () -> Void) -> AnyCancellable {
    body(value, end)
  }
}

extension Publisher {
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(body: subscribe) }
}

public struct Deferred<DeferredPublisher: Publisher>: Publisher {
  public typealias Output = DeferredPublisher.Output
  public typealias Failure = DeferredPublisher.Failure
  let createPublisher: () -> DeferredPublisher
  public init(createPublisher: @escaping () -> DeferredPublisher) { self.createPublisher = createPublisher }
  public func subscribe(_ value: @escaping (Output) -> Void, _ end: @escaping () -> Void) -> AnyCancellable {
    createPublisher().subscribe(value, end)
  }
}

public struct Empty<Output, Failure: Error>: Publisher {
  public init() {}
  public func subscribe(_ value: @escaping (Output) -> Void, _ end: @escaping () -> Void) -> AnyCancellable {
    end()
    return AnyCancellable {}
  }
}

public final class CurrentValueSubject<Output, Failure: Error>: Publisher {
  private let lock = NSRecursiveLock()
  private var current: Output
  private var isOver = false
  private var subscribers: [Int: (value: (Output) -> Void, end: () -> Void)] = [:]
  private var nextID = 0

  public init(_ value: Output) { current = value }

  public func send(_ value: Output) {
    lock.lock()
    defer { lock.unlock() }
    current = value
    for subscriber in subscribers.values { subscriber.value(value) }
  }

  public func send(completion: Subscribers.Completion<Failure>) {
    // A removed subscription is released outside of the lock: that may cancel, and call this again.
    let last = lock.withLock {
      defer { subscribers = [:] }
      isOver = true
      return subscribers
    }
    for subscriber in last.values { subscriber.end() }
  }

  public func subscribe(_ value: @escaping (Output) -> Void, _ end: @escaping () -> Void) -> AnyCancellable {
    lock.lock()
    defer { lock.unlock() }
    if isOver {
      end()
      return AnyCancellable {}
    }
    let id = nextID
    nextID += 1
    subscribers[id] = (value, end)
    value(current)
    return AnyCancellable { [self] in
      let removed = lock.withLock { subscribers.removeValue(forKey: id) }
      _ = consume removed
    }
  }
}

// MARK: - Operators

extension Publisher {
  public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> AnyPublisher<T, Failure> {
    AnyPublisher { value, end in subscribe({ output in transform(output).map(value) }, end) }
  }

  public func handleEvents(receiveCancel: (() -> Void)? = nil) -> AnyPublisher<Output, Failure> {
    AnyPublisher { value, end in
      let inner = subscribe(value, end)
      return AnyCancellable {
        receiveCancel?()
        inner.cancel()
      }
    }
  }

  /// The elements come while the subscriber subscribes; then the publisher is subscribed to.
  public func prepend(_ elements: Output...) -> AnyPublisher<Output, Failure> {
    AnyPublisher { value, end in
      for element in elements { value(element) }
      return subscribe(value, end)
    }
  }

  public func receive<S: Scheduler>(on scheduler: S) -> AnyPublisher<Output, Failure> {
    AnyPublisher { value, end in
      let isCancelled = Flag()
      let inner = subscribe(
        { output in scheduler.schedule { if !isCancelled.isSet { value(output) } } },
        { scheduler.schedule { if !isCancelled.isSet { end() } } })
      return AnyCancellable {
        isCancelled.isSet = true
        inner.cancel()
      }
    }
  }
}

private final class Flag {
  private let lock = NSLock()
  private var value = false
  var isSet: Bool {
    get { lock.withLock { value } }
    set { lock.withLock { value = newValue } }
  }
}

// MARK: - Schedulers

public protocol Scheduler {
  func schedule(_ action: @escaping () -> Void)
}

extension DispatchQueue: Scheduler {
  public func schedule(_ action: @escaping () -> Void) {
    // As Combine does, which takes closures that nobody says to be safe to send.
    struct Unchecked: @unchecked Sendable { let action: () -> Void }
    let unchecked = Unchecked(action: action)
    async { unchecked.action() }
  }
}
