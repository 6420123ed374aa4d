import FlagDomain
import Testing

@Suite("Updating a set from a payload")
struct UpdateTests {
  @Test("What the set knows is written at once, and the rest returned")
  func writes() throws {
    let provider = RecordingProvider()
    let unknown = try VideoFlags.catalog.update(
      provider, with: ["video.auto-play": true, "video.quality": .null, "video.autoplay": false, "": 1])
    #expect(unknown == ["video.autoplay": false, "": 1])
    #expect(provider.writes == [["video.auto-play": .some(true), "video.quality": .some(.null)]])
  }

  @Test("A flag that the payload does not name keeps its value")
  func keeps() throws {
    let provider = RecordingProvider()
    #expect(try VideoFlags.catalog.update(provider, with: ["video.auto-play": false]).isEmpty)
    #expect(provider.writes == [["video.auto-play": .some(false)]])
  }

  @Test("A provider's error is passed on")
  func fails() {
    let error = FlagError(.general, "The disk is full.")
    #expect(throws: error) {
      try VideoFlags.catalog.update(RecordingProvider(error: error), with: ["video.auto-play": true])
    }
  }
}

/// Takes note of what is written.
private final class RecordingProvider: WritableFlagProvider {
  let name = "Recording"
  private let error: FlagError?
  private let state = Locked<[[FlagKey: FlagValue?]]>([])

  init(error: FlagError? = nil) { self.error = error }

  var writes: [[FlagKey: FlagValue?]] { state.withLock { $0 } }

  func write(_ values: [FlagKey: FlagValue?]) throws(FlagError) {
    if let error { throw error }
    state.withLock { $0.append(values) }
  }

  func snapshot() -> any ProviderSnapshot { Empty() }

  private struct Empty: ProviderSnapshot {
    func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? { nil }
  }
}
