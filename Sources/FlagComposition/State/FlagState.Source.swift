import FlagDomain

extension FlagState {
  /// A snapshot of one provider.
  ///
  /// It is a class, so that querying it copies nothing.
  final class Source: Sendable {
    let name: String
    let provider: any FlagProvider
    let snapshot: any ProviderSnapshot
    let textReader: TextReader?
    /// The number of the provider, which no other provider of the client ever has.
    let number: Int
    /// The order of the snapshots of one provider: a later one has a greater ticket.
    let ticket: UInt64
    let log: ReportLog
    /// The failures of the provider as a whole, which all of its snapshots share.
    let outage: OutageLog

    init(_ provider: any FlagProvider, number: Int = 0, ticket: UInt64 = 0) {
      name = provider.name
      self.provider = provider
      snapshot = provider.snapshot()
      textReader = snapshot.textReader
      (self.number, self.ticket) = (number, ticket)
      (log, outage) = (ReportLog(), OutageLog(of: name))
    }

    /// Creates the source of the provider's current snapshot.
    init(_ last: Source, ticket: UInt64) {
      (name, provider, number) = (last.name, last.provider, last.number)
      snapshot = provider.snapshot()
      textReader = snapshot.textReader
      self.ticket = ticket
      (log, outage) = (last.log.next, last.outage)
    }

    private init(_ other: Source, name: String, provider: any FlagProvider) {
      (self.name, self.provider) = (name, provider)
      (snapshot, textReader) = (other.snapshot, other.textReader)
      (number, ticket) = (other.number, other.ticket)
      (log, outage) = (other.log, other.outage)
    }

    /// The same snapshot without the provider, which may be replaced and released.
    var pinned: Source { Source(self, name: name, provider: PinnedProvider(name: name, pinned: snapshot)) }

    /// The same source, in separate storage.
    var copied: Source { Source(self, name: name.copied, provider: provider) }
  }
}

/// A provider that has one snapshot forever.
private struct PinnedProvider: FlagProvider {
  let name: String
  let pinned: any ProviderSnapshot

  func snapshot() -> any ProviderSnapshot { pinned }
}

/// The errors of one snapshot that were reported, so that each is reported only once.
final class ReportLog: Sendable {
  static let maximumCount = 1000
  private let reported = Locked<Set<FlagError>>([])

  /// The log of the next snapshot: this one, as long as it is empty.
  var next: ReportLog { reported.withLock { $0.isEmpty } ? self : ReportLog() }

  /// Records an error, and returns whether to report it.
  func add(_ error: FlagError) -> Bool {
    reported.withLock { $0.count < Self.maximumCount && $0.insert(error).inserted }
  }
}
