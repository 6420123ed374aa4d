import FlagDomain
import FlagProviders
import TestSupport
import Testing

@testable import FlagComposition

@Suite("Copying")
struct CopyingTests {
  private let long = "a text that is too long to be cached in the string"

  @Test("A copy of a text has its characters and storage of its own")
  func copiesText() {
    let text = long + "!"
    let copy = ownCopy(of: text)
    #expect(copy == text)
    #expect(storage(of: copy) != storage(of: text))
  }

  @Test("A copy of an array has storage of its own, and so have its elements")
  func copiesArrays() {
    let texts = [long + "1", long + "2"]
    let copy = ownCopy(of: texts)
    #expect(copy == texts)
    #expect(copy.withUnsafeBufferPointer(\.baseAddress) != texts.withUnsafeBufferPointer(\.baseAddress))
    for (copied, text) in zip(copy, texts) { #expect(storage(of: copied) != storage(of: text)) }
    let numbers = [1, 2]
    let others = ownCopy(of: numbers)
    #expect(others == numbers)
    #expect(others.withUnsafeBufferPointer(\.baseAddress) != numbers.withUnsafeBufferPointer(\.baseAddress))
  }

  @Test("Copies of structures are equal to what they were made of")
  func copiesStructures() {
    expectEqual(Set([long, "b"]), [long: [1]], [String: Int](), Optional(long), String?.none, [[long]], 3, Custom())
    expectEqual(
      ["fields": ["list": [.string(long), 1, 1.5, true, .null]]] as FlagValue,
      FlagUser(id: long, countryCode: "es", segments: [long], attributes: ["plan": .string(long)]),
      EvaluationContext(user: FlagUser(id: long), attributes: ["version": .string(long)]).copied)
  }

  @Test("What is inside of copied structures has storage of its own")
  func copiesInside() throws {
    let text = long + "?"
    #expect(storage(of: try #require(ownCopy(of: [1: text])[1])) != storage(of: text))
    #expect(storage(of: try #require(ownCopy(of: Set([text])).first)) != storage(of: text))
    #expect(storage(of: try #require(ownCopy(of: Optional(text)))) != storage(of: text))
    #expect(storage(of: ownCopy(of: FlagUser(id: text)).id) != storage(of: text))
    guard case .array(let elements) = FlagValue.array([.string(text)]).copied, case .string(let copy) = elements[0]
    else {
      Issue.record("the shape changed")
      return
    }
    #expect(storage(of: copy) != storage(of: text))
  }

  @Test("A copy of a context has every field of it, and shares the storage of none")
  func copiesEveryField() {
    let context = EvaluationContext.withEveryField
    expectEveryField(of: context, differsFrom: EvaluationContext(user: FlagUser(id: "")))
    let copy = context.copied
    expectSameFields(copy, context)
    let (texts, copies) = (EveryField(of: context).strings, EveryField(of: copy).strings)
    for (path, text) in texts where text.utf8.count > 15 {
      #expect(copies[path].flatMap(storage) != storage(of: text), "\(path)")
    }
    #expect(texts.values.contains { $0.utf8.count > 15 })
  }

  @Test("A thread's copy of the state has every part of it")
  func copiesStates() throws {
    let flags = try FeatureFlagClient(
      catalogs: [],
      configuration: .init {
        $0.launch = [LaunchArgumentsProvider(["app", "--copied=5"])]
        $0.overrides = RecordingStore(["copied": 3])
        $0.keys = KeyStyle(prefix: "app")
      }
    ) { InMemoryProvider(["copied": 1]) }
    flags.current.changeContext(.user) { $0 = .withEveryField }
    flags.setDefault(4, for: Flag("copied", default: 2, ""))
    let content = flags.current.state.content
    expectEveryField(of: content.context)
    #expect(![content.sources, content.launch].contains { $0.isEmpty })
    #expect(!content.overrides.isEmpty && !content.defaults.isEmpty)
    expectSameFields(flags.current.state.copied.content, content)
  }

  @Test("A value as deep as documents may be is copied on a small stack")
  func copiesDeep() async throws {
    let value = (1..<256).reduce(FlagValue.string(long)) { value, level in
      level % 2 == 0 ? .array([value]) : .object(["member": value])
    }
    #expect(try await SmallStack.run { ownCopy(of: value) == value && value.copied == value })
  }

  private func storage(of text: String) -> Int? {
    text.utf8.withContiguousStorageIfAvailable { Int(bitPattern: $0.baseAddress) }
  }

  private func expectEqual<each Value: Equatable>(_ value: repeat each Value) {
    for value in repeat each value { #expect(ownCopy(of: value) == value) }
  }

  private struct Custom: Equatable { var title = "a title beyond fifteen bytes" }
}
