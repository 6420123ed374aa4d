extension PatternParser {
  /// Reads what comes behind `(?`, and returns whether a group follows; otherwise it has set flags.
  mutating func prefix(_ column: Int) throws(PatternError) -> Bool {
    for (mark, name) in [("=", "look-ahead"), ("!", "look-ahead"), ("<=", "look-behind"), ("<!", "look-behind")]
    where skip(mark) {
      throw error("\(name) is not supported", .unsupported, column: column)
    }
    if skip("P=") { throw error("a back-reference is not supported", .unsupported, column: column) }
    if skip(">") { throw error("an atomic group is not supported", .unsupported, column: column) }
    if skip("<") || skip("P<") {
      guard let name = text(upTo: ">"), Self.isName(name) else {
        throw error("a group whose name has other characters than letters, digits and _", column: column)
      }
      return true
    }
    return try readFlags(column)
  }

  private static func isName(_ name: String) -> Bool {
    name.unicodeScalars.first.map { !("0"..."9").contains($0) } == true
      && name.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_" }
  }

  private mutating func readFlags(_ column: Int) throws(PatternError) -> Bool {
    var isOn = true
    while let scalar = next() {
      switch scalar {
      case ":": return true
      case ")": return false
      case "-": isOn = false
      case "i": flags.ignoresCase = isOn
      case "m": flags.isMultiline = isOn
      case "s": flags.matchesLineEnds = isOn
      case "U": break  // Longest or shortest: it is found either way.
      default: throw error("a flag that is not one of i, m, s and U", .unsupported, column: position)
      }
    }
    throw error("a parenthesis without its closing one", column: column)
  }

  /// Returns a part with the repetition that follows it.
  mutating func repeated(_ atom: PatternNode) throws(PatternError) -> PatternNode {
    let column = position + 1
    guard let (minimum, maximum) = try counts() else { return atom }
    _ = skip("?")
    if peek() == "+" { throw error("a possessive repetition is not supported", .unsupported) }
    let next = position
    guard try counts() == nil else { throw error("nothing to repeat", column: next + 1) }
    return .repetition(atom, minimum: minimum, maximum: maximum, column: column)
  }

  /// Reads how often a part is repeated; nil if no repetition comes next.
  mutating func counts() throws(PatternError) -> (minimum: Int, maximum: Int?)? {
    if skip("*") { return (0, nil) }
    if skip("+") { return (1, nil) }
    if skip("?") { return (0, 1) }
    let start = position
    guard skip("{"), let minimum = number() else {
      position = start
      return nil
    }
    let hasMaximum = skip(",")
    let maximum = hasMaximum ? number() : minimum
    guard skip("}") else {
      position = start
      return nil
    }
    if let maximum, maximum < minimum { throw error("a repetition of at least more than at most", column: start + 1) }
    return (minimum, maximum)
  }

  /// Reads a number; one beyond any size is cut to one that is beyond it, too.
  private mutating func number() -> Int? {
    var number: Int?
    while let scalar = peek(), ("0"..."9").contains(scalar) {
      number = min((number ?? 0) * 10 + Int(scalar.value - 0x30), Pattern.maximumSize + 1)
      position += 1
    }
    return number
  }
}
