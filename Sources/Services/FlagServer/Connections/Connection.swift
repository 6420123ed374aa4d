import FlagHTTP

/// The state machine of one connection: a pure function of the bytes received, the replies and the time.
///
/// It knows no socket: a loop passes in the received bytes and the numbers of bytes sent, and reads what to do next.
/// It answers one request at a time; pipelined requests wait in the parser, and in the kernel.
struct Connection {
  typealias Instant = ContinuousClock.Instant

  enum Phase: Equatable {
    /// The connection waits for a request, or the rest of one.
    case reading(HTTPRequestParser.Progress)
    /// A handler has the request.
    case handling
    /// Events are sent as they arrive.
    case streaming
    /// The rest of the output is sent, then the connection is closed.
    case finishing
    /// Everything is sent; the client may read it before the connection is closed.
    case lingering
    case closed
  }

  /// The size of the output above which the next request waits, and that a slow client must read in time.
  static let portion = 64 << 10

  let limits: ServerLimits
  private(set) var phase = Phase.reading(.idle)
  private(set) var output = OutputBuffer()
  /// The reason why the client was rejected, if it was.
  private(set) var refusal: HTTPRequestError?
  private var parser: HTTPRequestParser
  private var request = (method: HTTPMethod.get, version: HTTPVersion.http11, keepsConnection: true)
  private var phaseDeadline: Instant
  private var writeDeadline: Instant?
  private var portionSent = 0
  private var isDraining = false
  private var lingers = false
  /// Whether it stays open after a response.
  private let isPersistent: Bool

  init(limits: ServerLimits, isPersistent: Bool = true, now: Instant) {
    self.limits = limits
    self.isPersistent = isPersistent
    parser = HTTPRequestParser(limits: limits.request)
    phaseDeadline = now + limits.headerTime
  }

  /// The time of the next action if nothing is received.
  var deadline: Instant { writeDeadline.map { min($0, phaseDeadline) } ?? phaseDeadline }

  var wantsInput: Bool {
    switch phase {
    case .reading: output.count < Self.portion
    case .streaming, .lingering: true
    case .handling, .finishing, .closed: false
    }
  }

  var isIdle: Bool { phase == .reading(.idle) && output.isEmpty }

  /// Whether a stream has sent everything, so that it can take the next event.
  var wantsEvent: Bool { phase == .streaming && output.isEmpty }

  mutating func receive(_ bytes: ArraySlice<UInt8>) {
    // The client of a stream has nothing to send, and that of a rejected request has sent too much.
    if case .reading = phase { parser.append(bytes) }
  }

  mutating func receiveEnd() {
    switch phase {
    case .reading: if output.isEmpty { phase = .closed } else { finish(lingers: false) }
    case .streaming, .lingering: phase = .closed
    case .handling, .finishing, .closed: break
    }
  }

  /// Returns the next request if it is complete and is to be handled now.
  ///
  /// Malformed requests are answered here.
  mutating func nextRequest(now: Instant, date: String) -> HTTPRequest? {
    guard case .reading(let before) = phase, output.count < Self.portion else { return nil }
    do throws(HTTPRequestError) {
      if let message = try parser.next() {
        request = (message.method, message.version, message.keepsConnection)
        phase = .handling
        phaseDeadline = now + limits.handlerTime
        return message
      }
    } catch {
      refuse(error, now: now, date: date)
      return nil
    }
    let progress = parser.progress
    if parser.takeContinue() { send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), now: now) }
    if progress != before {
      phase = .reading(progress)
      phaseDeadline = now + (progress == .body ? limits.bodyTime : limits.headerTime)
    }
    return nil
  }

  // MARK: - Answers

  mutating func respond(_ response: HTTPResponse, now: Instant, date: String) {
    guard phase == .handling else { return }
    let keepsConnection = request.keepsConnection && isPersistent && !isDraining
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256 + (response.body.count <= 4096 ? response.body.count : 0))
    response.writeHead(to: &bytes, keepsConnection: keepsConnection, date: date)
    if request.method == .head || response.status.hasNoContent {
      send(bytes, now: now)
    } else if response.body.count <= 4096 {
      bytes.append(contentsOf: response.body)
      send(bytes, now: now)
    } else {
      send(bytes, now: now)
      send(response.body, now: now)
    }
    if keepsConnection {
      phase = .reading(.idle)
      phaseDeadline = now + limits.idleTime
    } else {
      finish(lingers: true)
    }
  }

  mutating func startEvents(fields: HTTPFields, now: Instant, date: String) {
    guard phase == .handling else { return }
    var response = HTTPResponse(.ok, fields: fields)
    response.fields[.contentType] = "text/event-stream; charset=utf-8"
    response.fields[.cacheControl] = "no-store"
    // nginx would keep events back until its buffer is full.
    response.fields[.accelBuffering] = "no"
    guard request.method != .head else { return respond(response, now: now, date: date) }
    var bytes: [UInt8] = []
    response.writeHead(
      to: &bytes, framing: request.version == .http11 ? .chunks : .close, keepsConnection: false, date: date)
    phase = .streaming
    phaseDeadline = now + limits.heartbeatTime
    send(bytes, now: now)
    if isDraining { endEvents(now: now) }
  }

  mutating func sendEvent(_ event: [UInt8], now: Instant) {
    guard phase == .streaming else { return }
    var bytes: [UInt8] = []
    if request.version == .http11 {
      HTTPResponse.writeChunk(event, to: &bytes)
    } else {
      bytes = event
    }
    phaseDeadline = now + limits.heartbeatTime
    send(bytes, now: now)
  }

  mutating func endEvents(now: Instant) {
    guard phase == .streaming else { return }
    if request.version == .http11 { send(HTTPResponse.lastChunk, now: now) }
    finish(lingers: false)
  }

  mutating func refuse(_ error: HTTPRequestError, now: Instant, date: String) {
    refusal = error
    phase = .handling
    request.keepsConnection = false
    var response = HTTPResponse(plain: error.status)
    if error.status == .serviceUnavailable { response.fields[.retryAfter] = "5" }
    respond(response, now: now, date: date)
  }

  private mutating func finish(lingers: Bool) {
    self.lingers = lingers && !isDraining
    phase = .finishing
    if output.isEmpty { phase = .closed }
  }

  private mutating func send(_ bytes: [UInt8], now: Instant) {
    if output.isEmpty {
      writeDeadline = now + limits.writeTime
      portionSent = 0
    }
    output.append(bytes)
  }

  // MARK: - Time

  enum Consequence {
    case none
    /// The end of the output is to be sent to the client.
    case endOutput
    /// The handler is to be cancelled.
    case cancel
  }

  /// Records that bytes of the first piece of the output were sent.
  mutating func sent(_ count: Int, now: Instant) -> Consequence {
    output.remove(count)
    portionSent += count
    if output.isEmpty {
      writeDeadline = nil
      guard phase == .finishing else { return .none }
      phase = lingers ? .lingering : .closed
      phaseDeadline = now + limits.lingerTime
      return .endOutput
    }
    if portionSent >= Self.portion {
      portionSent = 0
      writeDeadline = now + limits.writeTime
    }
    return .none
  }

  mutating func expire(now: Instant, date: String) -> Consequence {
    if let writeDeadline, writeDeadline <= now {
      phase = .closed
      return .cancel
    }
    guard phaseDeadline <= now else { return .none }
    switch phase {
    // The rest of the output has its own deadline.
    case .reading(.idle) where !output.isEmpty: phaseDeadline = now + limits.idleTime
    case .reading(.idle), .lingering, .closed: phase = .closed
    case .reading:
      let error = HTTPRequestError(.requestTimeout, "timeout: the request is incomplete")
      refuse(error, now: now, date: date)
    case .handling:
      let error = HTTPRequestError(.serviceUnavailable, "timeout: the handler did not answer")
      refuse(error, now: now, date: date)
      return .cancel
    case .streaming:
      phaseDeadline = now + limits.heartbeatTime
      if output.isEmpty { sendEvent(ServerSentEvent.heartbeat, now: now) }
    case .finishing: phaseDeadline = now + limits.writeTime
    }
    return .none
  }

  mutating func drain(now: Instant) {
    isDraining = true
    switch phase {
    case .reading(.idle): if output.isEmpty { phase = .closed } else { finish(lingers: false) }
    case .streaming: endEvents(now: now)
    case .lingering: phase = .closed
    case .reading, .handling, .finishing, .closed: lingers = false
    }
  }

  mutating func close() { phase = .closed }
}
