import FlagDomain
import Testing

@Suite("Data types of flags")
struct DataTypeTests {
  @Test("The kind follows from the type, also of optional and raw values, and from the default", arguments: Self.cases)
  func tells(case test: Case) {
    #expect(test.flag.dataType.kind == test.kind && test.flag.dataType.isOptional == test.isOptional)
  }

  @Test("Metadata keeps what a browser is to show")
  func presents() {
    let presentation = FlagPresentation(
      icon: "star", range: 1...10, step: 0.5, suggestions: [1, 2], groupStyle: .navigation, userInfo: ["ticket": "A-1"])
    #expect(FlagMetadata("", presentation: presentation).presentation == presentation)
    #expect(FlagMetadata("", presentation: presentation) != FlagMetadata(""))
    #expect(FlagMetadata().presentation == FlagPresentation())
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let flag: any FeatureFlag
    let kind: FlagDataType.Kind
    let isOptional: Bool
    var testDescription: String { flag.dataType.name }

    init<Value: Decodable & Sendable>(_ value: Value, _ kind: FlagDataType.Kind, isOptional: Bool = false) {
      flag = Flag("a", default: value, "")
      self.kind = kind
      self.isOptional = isOptional
    }
  }

  enum Level: Int, Codable { case low }
  struct Layout: Codable { var rows = 1 }

  static let cases = [
    Case(true, .boolean), Case(Optional(true), .boolean, isOptional: true), Case(UInt8(1), .integer(0...255)),
    Case(1.5 as Float, .number), Case("", .text), Case(String?.none, .text, isOptional: true), Case([1], .list),
    Case(Layout(), .object), Case(Layout?.none, .object, isOptional: true),
    Case(Level.low, .integer(Int128.min...Int128.max)),
    Case(Level?.none, .integer(Int128(Int.min)...Int128(Int.max)), isOptional: true),
  ]
}
