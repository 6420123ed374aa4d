public import FlagDomain
public import FlagEvents
public import FlagFoundation

/// A tracker that stores exposures and conversions on the disk, and sends them in batches.
///
/// ```swift
/// let tracker = try EventTracker(in: folder, to: HTTPSink(collector, format: .otlp(service: "shop")))
/// let flags = try FeatureFlagClient(catalogs: [...], exposures: tracker) { ... }
/// let cart = CartModel(flags: flags.manager, conversions: flags.conversions(to: tracker))
/// ```
///
/// A user's reads of one value of an experiment are one exposure for the length of a window. Events are written and
/// sent when there are enough of them, after an interval, and on ``flush()``. Stored events are sent eventually, at the
/// latest by the program's next run; they are stored in a folder of their own, which several processes may share. A
/// tracker that is released without ``shutdown()`` loses the events that are not on the disk yet: those of the last
/// interval.
///
/// If the folder cannot be written, the reporter receives the reason once, and events wait in memory and are sent from
/// there, within the limits of ``TrackingOptions/bufferEvents`` and ``TrackingOptions/queueBytes``. As soon as it can
/// be written, they are, and the reporter receives that, too.
public final class EventTracker: Sendable {
  private struct State: Sendable {
    var memory: ExposureMemory
    /// The task that delivers buffered events after the interval; it may find that there are none.
    var timer: Task<Void, Never>?
    var isDelivering = false
    var expiry: Task<Void, Never>?
  }

  private let options: TrackingOptions
  private let environment: TrackingEnvironment
  private let filter: PrivacyFilter
  private let buffer: EventBuffer
  private let delivery: EventDelivery
  private let window: Duration
  private let state: Locked<State>
  private let subscribers = FlagSubscribers<Void>()

  /// Creates a tracker, and starts sending the events of an earlier run.
  ///
  /// - Parameters:
  ///   - folder: The folder that events are stored in; created if it is missing, with access for the current system
  ///     user alone, as soon as that is possible.
  ///   - sink: The destination of events.
  ///   - options: The options: attributes, limits and timing.
  ///   - reporter: Receives the errors of events that could not be written or were dropped, on any thread; nil to
  ///     ignore them.
  /// - Throws: An error if the options cannot be used.
  public convenience init(
    in folder: URL, to sink: any EventSink, options: TrackingOptions = TrackingOptions(),
    reporter: (any FlagErrorReporter)? = nil
  ) throws(FlagError) {
    try self.init(in: folder, to: sink, options: options, reporter: reporter, environment: TrackingEnvironment())
  }

  package init(
    in folder: URL, to sink: any EventSink, options: TrackingOptions = TrackingOptions(),
    reporter: (any FlagErrorReporter)? = nil, environment: TrackingEnvironment
  ) throws(FlagError) {
    self.options = options
    self.environment = environment
    filter = try PrivacyFilter(options)
    window = max(options.window, .seconds(1))
    buffer = EventBuffer(limit: options.bufferLimit, options.isOptedOut ? .optedOut : .keeping)
    delivery = EventDelivery(
      buffer, to: sink, queue: EventQueue(in: folder), options: options, environment: environment,
      report: { reporter?.report($0) })
    let milliseconds = Int64(min(window / .milliseconds(1), 0x1p62))
    state = Locked(State(memory: ExposureMemory(capacity: options.memory, window: milliseconds)))
    Task(executorPreference: delivery.executor) { [delivery] in await delivery.startSending() }
  }

  deinit {
    state.withLock { state in
      state.timer?.cancel()
      state.expiry?.cancel()
    }
  }
}

// MARK: Tracking

extension EventTracker: ExposureTracker, ConversionCollector {
  /// The time of day, in milliseconds since the beginning of 1970, UTC.
  public var now: Int64 { environment.now() }

  /// Records exposures, except those that repeat the user's last one.
  public func track(_ exposures: [Exposure]) {
    guard buffer.mode == .keeping else { return }
    // Under the lock, so that a thread that reads a value while another thread adds its exposure, and then flushes,
    // flushes that exposure, too.
    let count = state.withLock { state in
      var events: [TrackedEvent] = []
      for exposure in exposures where state.memory.insert(exposure) {
        guard let content = filter.stored(exposure) else { continue }
        let time = EventTime(milliseconds: exposure.time)
        let event = TrackedEvent(id: environment.makeID(), time: time, content: .exposure(content))
        guard buffer.accepts(event) else { continue }
        if options.samples(content.unit) { events.append(event) }
      }
      if state.expiry == nil { state.expiry = expiry() }
      return buffer.add(events)
    }
    schedule(count)
  }

  /// Records a conversion, unless none of its units is tracked.
  public func collect(_ conversion: Conversion) {
    guard let content = filter.stored(conversion) else { return }
    let time = EventTime(milliseconds: now)
    schedule(buffer.add([TrackedEvent(id: environment.makeID(), time: time, content: .conversion(content))]))
  }

  /// Calls a closure at the end of each window, after which reads are tracked again.
  public func subscribe(_ onExpiry: @escaping @Sendable () -> Void) -> FlagSubscription {
    subscribers.subscribe(onExpiry)
  }

  private func expiry() -> Task<Void, Never> {
    Task { [weak self, clock = environment.clock, window] in
      do {
        try await clock.sleep(for: window)
        self?.expire()
      } catch {
        // Cancelled: the tracker was released.
      }
    }
  }

  private func expire() {
    state.withLock { $0.expiry = nil }
    subscribers.notify(())
  }
}

// MARK: Sending

extension EventTracker {
  /// Writes all tracked events to the disk, and tries to send them.
  ///
  /// When it returns, events that were tracked before survive a kill of the program; if the disk could not be written,
  /// the reporter has received the error. Events that could not be sent are sent later: the service may be in an
  /// outage, or have asked for a pause.
  public func flush() async { _ = await delivery.deliver() }

  /// Writes all tracked events to the disk, and sends them, within a time.
  ///
  /// Events that are not sent in time stay on the disk, and are sent later. A sink may still be sending a batch.
  ///
  /// - Parameter timeout: The maximum time that the method waits.
  /// - Throws: An error with the reason if some events that were tracked before are not sent.
  public func flush(timeout: Duration) async throws(FlagError) {
    if let error = await delivery.deliver(timeout: timeout) {
      throw FlagError(error.code, "expected that all events are sent: \(error.message)", provider: .tracking)
    }
  }

  /// Flushes, and stops tracking for good; call it at the end of the program.
  public func shutdown() async {
    stop()
    await flush()
  }

  /// Flushes within a time, and stops tracking for good; call it at the end of the program.
  ///
  /// - Parameter timeout: The maximum time that the method waits.
  /// - Throws: An error with the reason if some events that were tracked before are not sent.
  public func shutdown(timeout: Duration) async throws(FlagError) {
    stop()
    try await flush(timeout: timeout)
  }

  private func stop() { if buffer.mode == .keeping { buffer.set(.closed) } }

  private func schedule(_ count: Int) {
    guard count > 0 else { return }
    state.withLock { state in
      if count >= options.batchEvents {
        guard !state.isDelivering else { return }
        state.isDelivering = true
        startDelivery()
      } else if state.timer == nil {
        state.timer = Task(executorPreference: delivery.executor) {
          [weak self, executor = delivery.executor, clock = environment.clock, interval = options.interval] in
          do {
            try await clock.sleep(for: interval)
            self?.endTimer()
          } catch {
            // Cancelled: the tracker was released.
          }
          withExtendedLifetime(executor) {}
        }
      }
    }
  }

  private func endTimer() {
    state.withLock { $0.timer = nil }
    startDelivery()
  }

  /// Starts a delivery on its own thread.
  private func startDelivery() {
    Task(executorPreference: delivery.executor) { [weak self, delivery] in
      self?.state.withLock { $0.isDelivering = false }
      await delivery.start()
    }
  }

  // MARK: Stored events

  /// Returns the events that are not sent yet, oldest first: everything that would leave the device.
  ///
  /// - Throws: An error if the events on the disk cannot be read.
  public func waitingEvents() async throws(FlagError) -> [TrackedEvent] {
    try await delivery.waiting()
  }

  /// Opts out, which removes all stored events and stops tracking, or opts in again.
  ///
  /// A batch whose upload is under way when a user opts out cannot be recalled. The app is responsible for remembering
  /// the choice: ``TrackingOptions/isOptedOut``.
  public func setOptedOut(_ isOptedOut: Bool) async {
    buffer.set(isOptedOut ? .optedOut : .keeping)
    state.withLock { $0.memory.removeAll() }
    if isOptedOut { await delivery.clear() } else { expire() }
  }

  /// Opts one user out, which removes the user's stored events and stops tracking the user, or opts in again.
  ///
  /// It is for servers, whose users decide one by one. A batch whose upload is under way cannot be recalled. The app is
  /// responsible for remembering the choice, and for passing it again after a restart. The choice holds for this
  /// tracker: in other processes, call the method of theirs.
  ///
  /// - Parameters:
  ///   - isOptedOut: Whether the user is not tracked any more.
  ///   - unit: The user's id, or the anonymous id of a visitor.
  public func setOptedOut(_ isOptedOut: Bool, unit: String) async {
    let name = filter.name(of: unit)
    buffer.setOptedOut(isOptedOut, name)
    state.withLock { $0.memory.forget(unit) }
    if isOptedOut { await delivery.remove(name) } else { expire() }
  }
}
