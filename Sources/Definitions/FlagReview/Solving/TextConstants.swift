import FlagDefinitions
import FlagDomain

/// The constants that an attribute is compared with, as texts and as numbers.
struct TextConstants {
  let all: [FlagValue]
  let texts: [String]
  /// The finite numbers that the constants are or denote, in ascending order, each once.
  let numbers: [Double]
  /// Whether a text denotes a number without bounds.
  let hasInfinity: Bool
  /// Whether all constants are texts that denote no number.
  let areWords: Bool

  init(_ constants: [FlagValue]) {
    var (texts, numbers, seen) = ([String](), [Double](), Set<FlagValue>())
    all = constants.filter { seen.insert($0).inserted }
    for constant in all {
      switch constant {
      case .string(let text):
        texts.append(text)
        numbers.append(NumberText.read(text))
      case .int(let number): numbers.append(Double(number))
      case .double(let number, _): numbers.append(number)
      case .bool(let value): numbers.append(value ? 1 : 0)
      case .null: numbers.append(0)
      case .array, .object: numbers.append(.nan)
      }
    }
    self.texts = texts
    self.numbers = Set(numbers.filter(\.isFinite)).sorted()
    hasInfinity = numbers.contains(where: \.isInfinite)
    areWords = texts.count == all.count && numbers.allSatisfy(\.isNaN)
  }

  /// Whether a text has a character that comes before a space, or a space.
  var hasControls: Bool { texts.contains { $0.utf8.contains { $0 <= 0x20 } } }

  /// A text that is not one of the constants.
  var other: String {
    var other = "none-of-these"
    while texts.contains(other) { other += "-" }
    return other
  }

  /// A character that occurs in no constant; nil if each of a few does.
  var filler: String? { sign(of: "xzq0/|#~") }
  /// A character between texts that occurs in no constant; nil if each of a few does.
  var separator: String? { sign(of: " /|#~") }

  private func sign(of signs: String) -> String? {
    signs.unicodeScalars.first { sign in !texts.contains { $0.unicodeScalars.contains(sign) } }.map { String($0) }
  }
}
