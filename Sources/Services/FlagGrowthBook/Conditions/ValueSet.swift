import FlagDefinitions
import FlagDomain

/// The values of a list or a saved group, for finding one as JavaScript's `includes` does.
///
/// Arrays and objects are never found.
final class ValueSet: Sendable {
  /// The strings, if there are few.
  private let few: [String]
  /// The strings, if there are many.
  private let many: StringTable?
  private let wholes: Set<Int128>
  private let fractions: Set<Double>
  private let hasNull: Bool
  private let hasTrue: Bool
  private let hasFalse: Bool

  /// The number of strings that are compared one after the other.
  private static let fewCount = 4

  /// Creates a set; strings can be folded to lower case.
  init(_ values: [FlagValue] = [], isFolded: Bool = false) {
    var texts: [String] = []
    var wholes: Set<Int128> = []
    var fractions: Set<Double> = []
    var (hasNull, hasTrue, hasFalse) = (false, false, false)
    for value in values {
      switch value {
      case .null: hasNull = true
      case .bool(let value): if value { hasTrue = true } else { hasFalse = true }
      case .int(let value): wholes.insert(value)
      case .double(let value, _):
        if let whole = Int128(exactly: value) { wholes.insert(whole) } else { fractions.insert(value) }
      case .string(let text): texts.append(isFolded ? text.lowercased() : text)
      case .array, .object: break
      }
    }
    (self.wholes, self.fractions) = (wholes, fractions)
    (self.hasNull, self.hasTrue, self.hasFalse) = (hasNull, hasTrue, hasFalse)
    let isLarge = texts.count > Self.fewCount
    few = isLarge ? [] : texts
    many = isLarge ? texts.reduce(into: StringTable()) { _ = $0.insert($1) } : nil
  }

  func contains(_ value: FlagValue) -> Bool {
    switch value {
    case .null: hasNull
    case .bool(let value): value ? hasTrue : hasFalse
    case .int(let value): wholes.contains(value)
    case .double(let value, _): Int128(exactly: value).map(wholes.contains) ?? fractions.contains(value)
    case .string(let text): contains(text)
    case .array, .object: false
    }
  }

  func contains(_ text: String) -> Bool {
    if let many { return many.number(of: text) != nil }
    return few.contains { $0.isIdentical(to: text) }
  }
}
