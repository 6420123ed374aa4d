public import FlagDomain
public import FlagEvents
public import Foundation

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
public final class EventTracker: Sendable {
  private struct State: Sendable {
    var memory: ExposureMemory
    var counts = ExposureCounts()
    /// The task that delivers buffered events after the interval.
    var timer: Task<Void, Never>?
    var isDelivering = false
    var expiry: Task<Void, Never>?
  }

  private let options: TrackingOptions
  private let environment: TrackingEnvironment
  private let buffer: EventBuffer
  private let delivery: EventDelivery
  private let window: Duration
  private let state: Locked<State>
  private let subscribers = Subscribers<Void>()
  /// The task that sends an earlier run's events, before all others.
  private let start: Task<Void, Never>

  /// Creates a tracker, and starts sending the events of an earlier run.
  ///
  /// - Parameters:
  ///   - folder: The folder that events are stored in; created if it is missing, with access for the current system
  ///     user alone.
  ///   - sink: The destination of events.
  ///   - options: The options: attributes, limits and timing.
  ///   - reporter: Receives the errors of events that could not be written or were dropped, on any thread; nil to
  ///     ignore them.
  /// - Throws: An error if the folder does not exist and cannot be created.
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
    window = max(options.window, .seconds(1))
    buffer = EventBuffer(limit: options.eventLimit, options.isOptedOut ? .optedOut : .keeping)
    delivery = EventDelivery(
      buffer, to: sink, queue: try EventQueue(in: folder), options: options, environment: environment,
      report: { reporter?.report($0) })
    let milliseconds = Int64(min(window / .milliseconds(1), 0x1p62))
    state = Locked(State(memory: ExposureMemory(capacity: options.memory, window: milliseconds)))
    start = Task { [delivery] in await delivery.sendLeftovers() }
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
        state.counts.add(exposure)
        guard options.samples(exposure.unit) else { continue }
        let content = TrackedExposure(exposure, attributes: options.attributes, rate: options.rate)
        let time = EventTime(milliseconds: exposure.time)
        events.append(TrackedEvent(id: environment.makeID(), time: time, content: .exposure(content)))
      }
      if state.expiry == nil { state.expiry = expiry() }
      return buffer.add(events)
    }
    schedule(count)
  }

  /// Records a conversion, unless its unit is not tracked.
  public func collect(_ conversion: Conversion) {
    guard options.samples(conversion.unit) else { return }
    let time = EventTime(milliseconds: now)
    schedule(buffer.add([TrackedEvent(id: environment.makeID(), time: time, content: .conversion(conversion))]))
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
  public func flush() async {
    state.withLock { state in
      state.isDelivering = false
      state.timer?.cancel()
      state.timer = nil
    }
    await start.value
    await delivery.deliver()
  }

  /// Flushes, and stops tracking for good; call it at the end of the program.
  public func shutdown() async {
    if buffer.mode == .keeping { buffer.set(.closed) }
    await flush()
  }

  private func schedule(_ count: Int) {
    guard count > 0 else { return }
    state.withLock { state in
      if count >= options.batchEvents {
        guard !state.isDelivering else { return }
        state.isDelivering = true
        Task { [weak self] in await self?.flush() }
      } else if state.timer == nil {
        state.timer = Task { [weak self, clock = environment.clock, interval = options.interval] in
          do {
            try await clock.sleep(for: interval)
            await self?.flush()
          } catch {
            // Cancelled: another delivery is under way, or the tracker was released.
          }
        }
      }
    }
  }
}

// MARK: Stored events

extension EventTracker {
  /// The number of times each value was given since the tracker was created, including units that sampling leaves out.
  public var counts: [ExposureCount] { state.withLock { $0.counts.all } }

  /// Returns the events that are not sent yet, oldest first: everything that would leave the device.
  ///
  /// - Throws: An error if the events on the disk cannot be read.
  public func waitingEvents() async throws(FlagError) -> [TrackedEvent] {
    await start.value
    let written = try await delivery.queued()
    return written + buffer.events
  }

  /// Opts out, which removes all stored events and stops tracking, or opts in again.
  ///
  /// A batch whose upload is under way when a user opts out cannot be recalled. The app is responsible for remembering
  /// the choice: ``TrackingOptions/isOptedOut``.
  public func setOptedOut(_ isOptedOut: Bool) async {
    buffer.set(isOptedOut ? .optedOut : .keeping)
    state.withLock { state in
      state.memory.removeAll()
      if isOptedOut { state.counts = ExposureCounts() }
    }
    await start.value
    if isOptedOut { await delivery.clear() } else { expire() }
  }
}
