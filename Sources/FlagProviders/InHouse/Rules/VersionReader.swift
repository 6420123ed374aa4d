/// Reads the parts of a semantic version off the front of a text.
struct VersionReader {
  private var rest: Substring.UTF8View
  /// Whether all three numbers stood in the text; only then more may follow.
  private var isComplete = true

  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func skipV() {
    if rest.first == UInt8(ascii: "v") || rest.first == UInt8(ascii: "V") { rest.removeFirst() }
  }

  /// Reads a number without leading zeros.
  mutating func number() -> Substring.UTF8View? {
    let digits = take { $0.isDigit }
    return digits.isEmpty || digits.hasLeadingZero ? nil : digits
  }

  /// Reads a dot and a number; at the end of the text the number is 0.
  mutating func nextNumber() -> Substring.UTF8View? {
    if isAtEnd {
      isComplete = false
      return Self.zero
    }
    return skip(".") ? number() : nil
  }

  /// Reads a hyphen and a pre-release; nothing where there is no hyphen.
  mutating func preRelease() -> Substring.UTF8View? {
    guard isComplete, skip("-") else { return rest.prefix(0) }
    return parts { !($0.allSatisfy(\.isDigit) && $0.hasLeadingZero) }
  }

  /// Skips a plus sign and build metadata; returns false where that is not well formed.
  mutating func skipBuild() -> Bool {
    guard isComplete, skip("+") else { return true }
    return parts { _ in true } != nil
  }
}

extension VersionReader {
  private static let zero = "0"[...].utf8

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func take(while isWanted: (UInt8) -> Bool) -> Substring.UTF8View {
    let taken = rest.prefix(while: isWanted)
    rest = rest[taken.endIndex...]
    return taken
  }

  /// Reads parts with dots between them, each of letters, digits and hyphens and to the liking of the caller.
  private mutating func parts(where isValid: (Substring.UTF8View) -> Bool) -> Substring.UTF8View? {
    let all = rest
    repeat {
      let part = take { $0.isDigit || $0.isLetter || $0 == UInt8(ascii: "-") }
      guard !part.isEmpty, isValid(part) else { return nil }
    } while skip(".")
    return all[..<rest.startIndex]
  }
}

extension Substring.UTF8View {
  fileprivate var hasLeadingZero: Bool { first == UInt8(ascii: "0") && dropFirst().first != nil }
}

extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
