public import FlagDefinitions
import FlagDomain
public import Testing

/// The contract of definition stores, as checks that any store's tests can run.
///
/// ```swift
/// @Test("Meets the contract of every store")
/// func meetsContract() async throws {
///   try await DefinitionStoreContract(try InMemoryDefinitionStore(DefinitionStoreContract.document)).check()
/// }
/// ```
///
/// It writes to the store, and waits for the store's updates: give the test a time limit.
public struct DefinitionStoreContract: Sendable {
  /// A document for a store to start with.
  public static let document = document(0)

  private let store: any DefinitionStore
  /// A closure that makes the store invalid or unavailable; nil for a store that can be neither.
  public var breakStore: (@Sendable () async throws -> Void)?
  /// A closure that restores the store with a text, like an external edit; required together with ``breakStore``.
  public var mendStore: (@Sendable (String) async throws -> Void)?

  /// Creates the contract of a store that has a document that can be served.
  public init(_ store: any DefinitionStore) { self.store = store }

  private static func document(_ number: Int) -> String {
    #"{"flags": {"number": {"state": "ENABLED", "variants": {"on": \#(number)}, "defaultVariant": "on"}}}"#
  }

  /// Checks the whole contract; each violation is an issue at the caller's line.
  ///
  /// - Throws: The errors of writing to the store, and of breaking and mending it.
  public func check(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    #expect(!store.name.isEmpty, sourceLocation: sourceLocation)
    let log = UpdateLog()
    let subscription = store.subscribe { log.add($0) }
    #expect(
      log.versions == [store.current?.version], "a subscriber receives the current definitions first",
      sourceLocation: sourceLocation)
    try await checkWriting(log, sourceLocation)
    try await checkConflict(sourceLocation)
    try await checkRefusal(sourceLocation)
    try await checkRace(sourceLocation)
    if let breakStore, let mendStore { try await checkFailure(breakStore, mendStore, log, sourceLocation) }
    subscription.cancel()
    let received = log.count
    try await write(99)
    #expect(log.count == received, "no notification after a subscription has ended", sourceLocation: sourceLocation)
  }

  private func checkWriting(_ log: UpdateLog, _ location: SourceLocation) async throws {
    let before = try #require(store.current, sourceLocation: location)
    let after = try await write(1)
    #expect(after.text == Array(Self.document(1).utf8), sourceLocation: location)
    #expect(store.current?.version == after.version, "a write is seen at once", sourceLocation: location)
    #expect(after.version != before.version, "another text has another version", sourceLocation: location)
    await log.wait { $0.last == after.version }
  }

  /// Checks that a writer that has not seen the newest version changes nothing.
  private func checkConflict(_ location: SourceLocation) async throws {
    let before = try #require(store.current, sourceLocation: location)
    for version in [nil, DefinitionVersion(rawValue: "never")] {
      await #expect(sourceLocation: location) {
        try await store.replace(with: Array(Self.document(2).utf8), expecting: version)
      } throws: {
        ($0 as? DefinitionStoreError)?.code == .conflict
      }
    }
    #expect(store.current?.version == before.version, sourceLocation: location)
  }

  private func checkRefusal(_ location: SourceLocation) async throws {
    let before = try #require(store.current, sourceLocation: location)
    await #expect(sourceLocation: location) {
      try await store.replace(with: Array("{".utf8), expecting: before.version)
    } throws: {
      let error = $0 as? DefinitionStoreError
      return error?.code == .invalid && error?.diagnostics.isEmpty == false
    }
    #expect(store.current?.version == before.version, sourceLocation: location)
  }

  /// Checks that one of several writers that have seen the same version wins.
  private func checkRace(_ location: SourceLocation) async throws {
    let before = try #require(store.current, sourceLocation: location)
    let winners = await withTaskGroup(of: DefinitionVersion?.self) { group in
      for number in 10..<18 {
        group.addTask {
          do throws(DefinitionStoreError) {
            return try await store.replace(with: Array(Self.document(number).utf8), expecting: before.version).version
          } catch {
            #expect(error.code == .conflict, sourceLocation: location)
            return nil
          }
        }
      }
      return await group.compactMap { $0 }.reduce(into: []) { $0.append($1) }
    }
    #expect(winners == [store.current?.version].compactMap { $0 }, "one writer wins", sourceLocation: location)
  }

  /// Checks that a failure is reported while the definitions stay, and that restored definitions are reported again.
  private func checkFailure(
    _ breakStore: @Sendable () async throws -> Void, _ mendStore: @Sendable (String) async throws -> Void,
    _ log: UpdateLog, _ location: SourceLocation
  ) async throws {
    let before = try #require(store.current, sourceLocation: location)
    try await breakStore()
    await log.wait { $0.last == .some(nil) }
    #expect(store.current?.version == before.version, "the last good document stays", sourceLocation: location)
    try await mendStore(String(decoding: before.text, as: UTF8.self))
    await log.wait { $0.last != .some(nil) }
    try await mendStore(Self.document(3))
    let mended = Array(Self.document(3).utf8)
    await log.wait { _ in store.current?.text == mended }
  }

  @discardableResult
  private func write(_ number: Int) async throws -> StoredDefinitions {
    try await store.replace(with: Array(Self.document(number).utf8), expecting: store.current?.version)
  }
}
