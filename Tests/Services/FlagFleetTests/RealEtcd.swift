import FlagDefinitions
import FlagDomain
import FlagProviders
import FlagPublishing
import FlagServices
import Foundation
import TestSupport
import Testing

@testable import FlagFleet
@testable import FlagRemote

/// The fixture of tests with real members.
enum RealEtcd {
  /// Runs a test with members of its own, whatever it does ended afterwards.
  ///
  /// Without a program it is the first one that is here.
  static func withCluster(
    _ program: EtcdCluster.Program? = nil, members count: Int = 3, options: [String] = [],
    _ test: (EtcdCluster) async throws -> Void
  ) async throws {
    let program = program ?? EtcdCluster.Program.all.first
    let cluster = try await onThread { try EtcdCluster(program, members: count, options: options) }
    defer { withExtendedLifetime(cluster) {} }
    try await test(cluster)
  }

  /// Runs a test with the members that its suite shares, and neither ends nor stops: it takes sets of its own.
  static func withShared(_ test: (EtcdCluster) async throws -> Void) async throws {
    guard let cluster = SharedMembers.cluster else {
      throw EtcdCluster.Failure(description: "expected a suite with .sharedMembers")
    }
    try await test(cluster)
  }

  static let note = PublicationNote(author: "test")

  /// A document of one flag, whose value is a number.
  static func text(_ number: Int) -> [UInt8] { Array(document(number).utf8) }

  static func document(_ number: Int) -> String {
    #"{"flags": {"size": {"state": "ENABLED", "variants": {"v": \#(number)}, "defaultVariant": "v"}}}"#
  }

  /// Publishes a document on the ground of whatever is there, as often as it takes, and returns how long it took.
  @discardableResult
  static func publish(_ text: [UInt8], to store: EtcdDefinitionStore) async throws -> Duration {
    try await ContinuousClock().measure {
      try await waitUntil {
        do throws(DefinitionStoreError) {
          try await store.publish(text, expecting: try await store.head(), percent: nil, note: note)
          return true
        } catch {
          guard error.code == .conflict || error.code == .notWritten || error.code == .unreadable else { throw error }
          return false
        }
      }
    }
  }
}

extension EtcdCluster {
  /// Does something with the members that waits, on a thread of its own.
  @discardableResult
  func run<Outcome: Sendable>(_ work: @escaping @Sendable (EtcdCluster) throws -> Outcome) async throws -> Outcome {
    try await onThread { try work(self) }
  }

  func settings(
    user: String? = nil, endpoints: [String]? = nil, _ edit: (inout EtcdSettings) -> Void = { _ in }
  ) throws -> EtcdSettings {
    var settings = try EtcdSettings(
      endpoints: endpoints ?? self.endpoints, user: user, password: user.map { "\($0)-password" })
    settings.idleLimit = .seconds(2)
    edit(&settings)
    return settings
  }

  /// Makes etcd forget what was before this moment.
  func compact() throws {
    let revision = Self.text("revision", in: try ask(0, "maintenance/status", "{}")) ?? ""
    let answer = try ask(0, "kv/compaction", #"{"revision": "\#(revision)", "physical": true}"#)
    guard answer.contains("200 OK") else { throw Failure(description: answer) }
  }

  func store(_ set: String, server: String? = nil, user: String? = nil) throws -> EtcdDefinitionStore {
    EtcdDefinitionStore(set: set, server: server, settings: try settings(user: user))
  }

  func provider(
    _ set: String, cache: AnswerCache? = nil, user: String? = nil, endpoints: [String]? = nil
  ) throws -> DefinitionStoreProvider {
    DefinitionStoreProvider(
      sets: [set], settings: try settings(user: user, endpoints: endpoints) { $0.cache = cache })
  }
}

/// Starts three members for the suites that share them, and ends them after the last: to start them takes longer than
/// most tests.
struct SharedMembers: SuiteTrait, TestScoping {
  @TaskLocal static var cluster: EtcdCluster?
  private static let current = Current()

  /// The members, for as long as a suite holds them.
  private actor Current {
    private var start: Task<EtcdCluster, any Error>?
    private var suites = 0

    func enter() async throws -> EtcdCluster {
      suites += 1
      let start = start ?? Task { try await onThread { try EtcdCluster(EtcdCluster.Program.all.first) } }
      self.start = start
      return try await start.value
    }

    /// Ends the members with the last suite: what a test has begun may hold the cluster still when the program ends.
    func leave(_ cluster: EtcdCluster) {
      suites -= 1
      guard suites == 0 else { return }
      start = nil
      for member in 0..<cluster.count { cluster.kill(member) }
    }
  }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let cluster = try await Self.current.enter()
    let outcome: Result<Void, any Error>
    do {
      outcome = .success(try await Self.$cluster.withValue(cluster) { try await function() })
    } catch {
      outcome = .failure(error)
    }
    await Self.current.leave(cluster)
    try outcome.get()
  }
}

extension Trait where Self == SharedMembers {
  /// Has three members, which other suites have, too.
  static var sharedMembers: Self { Self() }
}

extension DefinitionStoreProvider {
  /// Waits until a flag has a value.
  func waitForSize(_ number: Int) async { await wait { $0.read("size").value == .int(Int128(number)) } }
}

/// Times, some of which are reported.
struct Latencies: Sendable {
  private var times: [Duration] = []

  mutating func add(_ time: Duration) { times.append(time) }

  /// Returns the time that a share of all are below.
  func percentile(_ percent: Double) -> Duration {
    let sorted = times.sorted()
    return sorted.isEmpty ? .zero : sorted[min(sorted.count - 1, Int(Double(sorted.count) * percent / 100))]
  }

  var longest: Duration { times.max() ?? .zero }
  var count: Int { times.count }
}

/// Writes a figure that was measured to the log of the tests.
func record(_ figure: String) {
  print("figure: \(figure)")
}
