import FlagHTTP

extension EventLoop {
  func handle(_ message: HTTPRequest, of client: Client) {
    client.message = message
    client.began = now
    let (peer, prefix) = limits.proxies.client(of: message, from: client.peer)
    client.served = ServedRequest(
      method: message.method, target: message.target, peer: peer, route: nil, status: .ok, bytes: 0, time: .zero)
    let plan = service.plan(message, from: peer, forwardedPrefix: prefix)
    guard client.place == .open ? count(client, as: peer) : plan.isHealthCheck else {
      return client.connection.refuse(busy, now: now, date: date)
    }
    switch plan {
    case .reply(let response): send(.response(response), to: client)
    case .handle(let route, let request):
      client.served?.route = route.pattern
      switch route.handler {
      case .immediate(let body):
        do {
          answer(client, with: try body(request))
        } catch {
          environment.report(error, request)
          answer(client, with: .response(HTTPResponse(plain: .internalServerError)))
        }
      case .waiting(let body): client.task = task(body, request, client.id)
      }
    }
  }

  /// Counts a client's connection as a peer's, and returns whether that has a place.
  private func count(_ client: Client, as peer: Peer) -> Bool {
    guard admissions.reassign(client.counted, to: peer) else { return false }
    client.counted = peer
    return true
  }

  /// Runs a handler in a task, which posts its result; it refers to the client only by its number.
  private func task(
    _ body: @escaping @Sendable (ServerRequest) async throws -> ServerReply, _ request: ServerRequest, _ id: Int
  ) -> Task<Void, Never> {
    Task { [mailbox, environment] in
      do {
        mailbox.post(.reply(try await body(request), connection: id))
      } catch {
        if !Task.isCancelled { environment.report(error, request) }
        mailbox.post(.reply(.response(HTTPResponse(plain: .internalServerError)), connection: id))
      }
    }
  }

  /// Sends a client the reply of a handler, unless the request has timed out.
  func answer(_ client: Client, with reply: ServerReply) {
    guard client.connection.phase == .handling, let message = client.message else { return }
    send(service.decorated(reply, for: message), to: client)
  }

  private func send(_ reply: ServerReply, to client: Client) {
    switch reply {
    case .response(let response):
      client.connection.respond(response, now: now, date: date)
      client.served?.status = response.status
      client.served?.bytes = response.body.count
    case .events(let feed, let fields):
      client.connection.startEvents(fields: fields, now: now, date: date)
      guard client.connection.phase == .streaming else { break }
      let position = feed.position(lastEventID: client.message?.fields[.lastEventID])
      let subscription = feed.subscribe { [mailbox, id = client.id] in mailbox.post(.event(connection: id)) }
      client.stream = (feed, subscription, position)
    }
    client.message = nil
    // A proxy's next request may be another client's; a stream stays its client's.
    if client.stream == nil, client.place == .open { _ = count(client, as: client.peer) }
    guard var served = client.served else { return }
    client.served = nil
    served.time = environment.now() - client.began
    environment.observe(served)
  }
}
