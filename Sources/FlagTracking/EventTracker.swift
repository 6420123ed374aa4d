public import FlagDomain
public import FlagEvents
public import Foundation

/// Keeps who saw what and did what on the disk, and sends it in batches.
///
/// ```swift
/// let tracker = try EventTracker(in: folder, to: HTTPSink(collector, format: .otlp(service: "shop")))
/// let flags = try FeatureFlagClient(catalogs: [...], exposures: tracker) { ... }
/// let cart = CartModel(flags: flags.manager, conversions: flags.conversions(to: tracker))
/// ```
///
/// A user's reads of one value of an experiment are one exposure for as long as a window lasts. Events are written and
/// sent when there are enough of them, after an interval, and on ``flush()``. What is on the disk is sent, at last by
/// the program's next run; it is in a folder of its own, which several processes may share. A tracker that is released
/// without ``shutdown()`` loses what is not on the disk yet: the events of the last interval.
public final class EventTracker: Sendable {
  private struct State: Sendable {
    var memory: ExposureMemory
    var counts = ExposureCounts()
    /// Delivers what waits, after the interval.
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
  /// Sends what an earlier run has left, before anything else.
  private let start: Task<Void, Never>

  /// Creates a tracker, which sends what an earlier run has left.
  ///
  /// - Parameters:
  ///   - folder: Where events are kept; it is made if need be, for this user of the system alone.
  ///   - sink: Where events go.
  ///   - options: What is tracked, how much is kept, and when it is sent.
  ///   - reporter: Hears of events that could not be written or were dropped, on any thread; nil for nobody.
  /// - Throws: Where the folder is none and cannot be made.
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

  /// Takes exposures; one that is the same as its user's last one is left out.
  public func track(_ exposures: [Exposure]) {
    guard buffer.mode == .keeping else { return }
    // Under the lock, so that who reads a value whose exposure another thread is about to add, and then flushes,
    // flushes that one.
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

  /// Takes a conversion, unless its unit is not tracked.
  public func collect(_ conversion: Conversion) {
    guard options.samples(conversion.unit) else { return }
    let time = EventTime(milliseconds: now)
    schedule(buffer.add([TrackedEvent(id: environment.makeID(), time: time, content: .conversion(conversion))]))
  }

  /// Calls a closure at the end of each window, so that what is read then is tracked again.
  public func subscribe(_ onExpiry: @escaping @Sendable () -> Void) -> FlagSubscription {
    subscribers.subscribe(onExpiry)
  }

  private func expiry() -> Task<Void, Never> {
    Task { [weak self, clock = environment.clock, window] in
      do {
        try await clock.sleep(for: window)
        self?.expire()
      } catch {
        // Cancelled: the tracker is gone.
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
  /// Writes everything that was tracked to the disk, and tries to send it.
  ///
  /// When it returns, nothing that was tracked before is lost if the program is killed; where the disk could not be
  /// written, the reporter has heard of it. What could not be sent is sent later: the service may be in an outage, or
  /// have asked to be left alone.
  public func flush() async {
    state.withLock { state in
      state.isDelivering = false
      state.timer?.cancel()
      state.timer = nil
    }
    await start.value
    await delivery.deliver()
  }

  /// Flushes, and tracks nothing more: for the end of the program.
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
            // Cancelled: someone else delivers, or the tracker is gone.
          }
        }
      }
    }
  }
}

// MARK: What is kept

extension EventTracker {
  /// How often each value was given, since the tracker was made; also of units that the sampling leaves out.
  public var counts: [ExposureCount] { state.withLock { $0.counts.all } }

  /// Returns the events that are yet to be sent, oldest first: all that would leave the device.
  ///
  /// - Throws: Where what is on the disk cannot be read.
  public func waitingEvents() async throws(FlagError) -> [TrackedEvent] {
    await start.value
    let written = try await delivery.queued()
    return written + buffer.events
  }

  /// Opts out, which removes all that was kept and tracks nothing more, or in again.
  ///
  /// A batch that is on its way when a user opts out cannot be called back. Whether a user has opted out is for the app
  /// to remember: ``TrackingOptions/isOptedOut``.
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
