import FlagCLI
import FlagDefinitions
import FlagPublishing
import Foundation
import Synchronization
import TestSupport
import Testing

/// Sets of definitions that are published in memory, and the tool that publishes them.
final class MemoryFleet: Sendable {
  /// The time that publishers and servers see: 2027-01-15T08:00:00Z.
  static let now: Int64 = 1_800_000_000

  private struct State {
    var sets: [String: InMemoryPublishedStore] = [:]
    var addresses: [FleetAddress] = []
    var saved: [String: String] = [:]
  }

  private let state = Mutex(State())

  /// The addresses that were asked for.
  var addresses: [FleetAddress] { state.withLock { $0.addresses } }
  /// The files that were written.
  var saved: [String: String] { state.withLock { $0.saved } }

  /// Returns the store of a set.
  func store(_ set: String = "production") -> InMemoryPublishedStore {
    state.withLock { state in
      if let store = state.sets[set] { return store }
      let store = InMemoryPublishedStore(name: set) { Self.now }
      state.sets[set] = store
      return store
    }
  }

  /// Publishes a document as someone else does.
  @discardableResult
  func publish(
    _ text: String, percent: Int? = nil, by author: String = "ana", because reason: String = ""
  ) async throws -> PublishedHead {
    let store = store()
    return try await store.publish(
      Array(text.utf8), expecting: try await store.head(), percent: percent,
      note: PublicationNote(author: author, reason: reason))
  }
}

extension MemoryFleet {
  /// Runs a command on the fleet, for the set production unless words name a set.
  ///
  /// - Parameters:
  ///   - words: The command and its words, without the cluster.
  ///   - files: The files that there are.
  ///   - answer: The answer to a confirmation; nil if there is no terminal.
  ///   - environment: The variables of the environment.
  ///   - whileAsked: What someone else does while a person is asked.
  /// - Returns: What the tool wrote.
  /// - Throws: What starting a thread throws.
  func run(
    _ words: String..., files: [String: String] = [:], answer: String? = nil,
    environment: [String: String] = ["USER": "kim"], whileAsked: (@Sendable () async throws -> Void)? = nil
  ) async throws -> Transcript {
    try await run(words, files: files, answer: answer, environment: environment, whileAsked: whileAsked)
  }

  /// Runs a command on the fleet.
  func run(
    _ words: [String], files: [String: String] = [:], answer: String? = nil,
    environment: [String: String] = ["USER": "kim"], whileAsked: (@Sendable () async throws -> Void)? = nil
  ) async throws -> Transcript {
    let isSetNamed = words.contains { $0.hasPrefix("--set") || $0.hasPrefix("--from") }
    let isClusterNamed = words.contains { $0.hasPrefix("--etcd=") }
    let place = (isClusterNamed ? [] : ["--etcd=https://etcd:2379"]) + (isSetNamed ? [] : ["--set=production"])
    let all = [words[0]] + place + words.dropFirst()
    return try await onThread { [self] in
      Transcript(all, files: files, input: answer.map { [$0] } ?? []) { terminal in
        prepare(&terminal, environment)
        // It is asked once the document was compared: what someone else does now happens after that.
        terminal.isInteractive = {
          if let whileAsked { Self.wait(for: whileAsked) }
          return answer != nil
        }
      }
    }
  }

  private static func wait(for work: @escaping @Sendable () async throws -> Void) {
    let isOver = DispatchSemaphore(value: 0)
    Task {
      do { try await work() } catch { Issue.record(error) }
      isOver.signal()
    }
    isOver.wait()
  }

  /// Has a terminal open the sets of this fleet.
  func connect(_ terminal: inout Terminal) {
    terminal.connect = { [self] address in
      state.withLock { $0.addresses.append(address) }
      return store(address.set).store(server: address.server)
    }
  }

  private func prepare(_ terminal: inout Terminal, _ environment: [String: String]) {
    terminal.environment = environment
    terminal.save = { [self] data, path in
      state.withLock { $0.saved[path] = String(decoding: data, as: UTF8.self) }
    }
    connect(&terminal)
  }
}
