package import FlagDomain
import FlagJSON
import FlagSupport

/// The control that edits a flag's value.
package enum FlagControl: Hashable, Sendable {
  /// A switch.
  case toggle
  /// A choice among these values.
  case choice([FlagValue])
  /// A number field, with bounds and a step if there are any.
  case number(isWhole: Bool, range: ClosedRange<Double>?, step: Double?)
  /// A text field with these suggestions.
  case text(suggestions: [String])
  /// A JSON editor.
  case json

  init(of flag: any FeatureFlag, _ type: FlagDataType) {
    let presentation = flag.metadata.presentation
    let none: [FlagValue] = type.isOptional ? [.null] : []
    if let choices = Self.choices(of: flag) {
      self = .choice(choices + none)
      return
    }
    switch type.kind {
    case .boolean where !type.isOptional: self = .toggle
    case .boolean: self = .choice([true, false] + none)
    case .integer(let bounds):
      self = .number(
        isWhole: true, range: presentation.range ?? Self.range(bounds), step: presentation.step ?? 1)
    case .number: self = .number(isWhole: false, range: presentation.range, step: presentation.step)
    case .text:
      self = .text(
        suggestions: presentation.suggestions.compactMap(\.text))
    case .list, .object: self = .json
    }
  }

  /// Returns the cases of the flag's type; nil if it has none, or if one cannot be encoded.
  private static func choices(of flag: any FeatureFlag) -> [FlagValue]? {
    do throws(FlagError) {
      let cases = try flag.choices
      return cases.isEmpty ? nil : cases
    } catch {
      return nil  // a case that cannot be encoded can be entered as JSON
    }
  }

  /// Returns the bounds of small integer types; nil for types whose bounds are too large to be worth showing.
  private static func range(_ bounds: ClosedRange<Int128>) -> ClosedRange<Double>? {
    bounds.upperBound <= Int128(UInt32.max) ? Double(bounds.lowerBound)...Double(bounds.upperBound) : nil
  }

  /// The values to choose from; empty if a value is typed in.
  package var options: [FlagValue] {
    switch self {
    case .toggle: [true, false]
    case .choice(let values): values
    case .number, .text, .json: []
    }
  }

  /// Parses the text that a person entered.
  ///
  /// - Throws: A type mismatch with the expected and the actual value, with line and column for JSON.
  package func value(of text: String) throws(FlagError) -> FlagValue {
    switch self {
    case .toggle:
      guard let isOn = ["true": true, "false": false][text] else { throw .entered(text, expected: "true or false") }
      return .bool(isOn)
    case .choice(let values):
      guard let value = values.first(where: { $0.description.isIdentical(to: text) }) else {
        throw .entered(text, expected: "one of \(values.map(\.shortText).joined(separator: ", "))")
      }
      return value
    case .number(let isWhole, let range, let step): return try Self.number(text, isWhole: isWhole, range, step)
    case .text: return .string(text)
    case .json: return try FlagValue.reading(json: text)
    }
  }

  /// Returns the text that the control shows for a value.
  package func text(of value: FlagValue) -> String {
    switch self {
    case .text: if case .string(let text) = value { text } else { "" }
    case .number: value == .null ? "" : value.description
    case .toggle, .choice: value.description
    case .json: value.indentedJSON
    }
  }

  private static func number(
    _ text: String, isWhole: Bool, _ range: ClosedRange<Double>?, _ step: Double?
  ) throws(FlagError) -> FlagValue {
    let bounds = range.map { " from \($0.lowerBound.shortText) to \($0.upperBound.shortText)" } ?? ""
    let steps = step.flatMap { $0 > 0 && !(isWhole && $0 == 1) ? " in steps of \($0.shortText)" : nil } ?? ""
    let digits = text.trimmingSpaces
    let fraction = isWhole ? nil : FlagValue(numeral: digits) ?? Double(digits).map(FlagValue.double)
    let value = Int128(digits).map(FlagValue.int) ?? fraction
    guard let value, let number = value.asDouble, number.isFinite, range?.contains(number) ?? true,
      steps.isEmpty || isOnStep(number, of: step ?? 1, from: range?.lowerBound ?? 0)
    else {
      throw .entered(text, expected: "\(isWhole ? "a whole number" : "a number")\(bounds)\(steps)")
    }
    return value
  }

  /// Returns whether a number is a start plus a multiple of a step, as far as binary fractions can express that.
  private static func isOnStep(_ number: Double, of step: Double, from start: Double) -> Bool {
    let steps = (number - start) / step
    return abs(steps - steps.rounded()) <= 1e-9 * max(1, abs(steps))
  }
}

extension FlagValue {
  /// The value as indented JSON; a number that JSON cannot represent becomes null.
  package var indentedJSON: String {
    do throws(FlagError) {
      return try jsonString(.indented, depth: .max)
    } catch {
      return description
    }
  }

  fileprivate var asDouble: Double? {
    switch self {
    case .int(let number): Double(number)
    case .double(let number, _): number
    default: nil
    }
  }
}

extension Double {
  /// The number as text, without a fraction if it is whole.
  fileprivate var shortText: String { Int128(exactly: self).map(String.init) ?? "\(self)" }
}

extension FlagError {
  fileprivate static func entered(_ text: String, expected: String) -> FlagError {
    FlagError(.typeMismatch, "expected \(expected), found \(text.isEmpty ? "nothing" : "“\(text.prefix(60))”")")
  }
}
