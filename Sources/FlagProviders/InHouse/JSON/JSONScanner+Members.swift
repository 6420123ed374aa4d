import FlagDomain

/// A field of a record, as the scanner finds it.
struct JSONMember {
  let name: String
  /// Where the field's value stands.
  let value: Range<Int>
  /// How many levels the value nests.
  let depth: Int
}

extension JSONScanner {
  /// Skips a record, the space before it included, and returns its fields in their order.
  mutating func skipMembers() throws(JSONError) -> [JSONMember] {
    skipSpace()
    guard skip(UInt8(ascii: "{")) else { throw error(expected: "an object") }
    skipSpace()
    var members: [JSONMember] = []
    if skip(UInt8(ascii: "}")) { return members }
    repeat { try members.append(skipMember()) } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "}")) else { throw error(expected: "\",\" or \"}\"") }
    return members
  }

  private mutating func skipMember() throws(JSONError) -> JSONMember {
    skipSpace()
    let name = try string(at: skipString(as: "a name in quotation marks"))
    skipSpace()
    guard skip(UInt8(ascii: ":")) else { throw error(expected: "\":\"") }
    skipSpace()
    let start = offset
    let depth = try skipValue()
    defer { skipSpace() }
    return JSONMember(name: name, value: start..<offset, depth: depth)
  }

  /// Skips a list, the space before it included, and returns where its elements stand.
  mutating func skipElements() throws(JSONError) -> [Range<Int>] {
    skipSpace()
    guard skip(UInt8(ascii: "[")) else { throw error(expected: "an array") }
    skipSpace()
    var elements: [Range<Int>] = []
    if skip(UInt8(ascii: "]")) { return elements }
    repeat {
      skipSpace()
      let start = offset
      _ = try skipValue()
      elements.append(start..<offset)
      skipSpace()
    } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "]")) else { throw error(expected: "\",\" or \"]\"") }
    return elements
  }

  /// The string between the quotation marks of a range.
  private func string(at range: Range<Int>) throws(JSONError) -> String {
    let content = bytes[range].dropFirst().dropLast()
    guard content.contains(UInt8(ascii: "\\")) else { return String(decoding: content, as: UTF8.self) }
    guard case .string(let string) = try FlagValue(json: bytes[range]) else { throw error(expected: "a name") }
    return string
  }
}
