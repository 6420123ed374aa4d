import FlagDomain

extension JSONReader {
  /// Skips the next value, including everything in it; while the builder is active, builds it.
  mutating func passValue() throws(JSONError) {
    let outside = levels.count
    repeat {
      try passScalarOrOpening(outside: outside)
      while levels.count > outside {
        guard try advance() else { continue }
        if !isBeforeValue { try passMemberName() }
        break
      }
    } while levels.count > outside
  }

  /// Skips a scalar, or enters an array or object.
  @inline(__always)
  private mutating func passScalarOrOpening(outside: Int) throws(JSONError) {
    switch text.byte(at: offset) {
    case UInt8(ascii: "\""): try passStringValue()
    case UInt8(ascii: "{"): openValue(.object(-1), outside: outside)
    case UInt8(ascii: "["): openValue(.array(-1), outside: outside)
    case UInt8(ascii: "t"): try passWord("true", .bool(true))
    case UInt8(ascii: "f"): try passWord("false", .bool(false))
    case UInt8(ascii: "n"): try passWord("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try passNumberValue()
    default: throw error(expected: "a value")
    }
  }

  private mutating func openValue(_ level: Level, outside: Int) {
    if builder.isMaking {
      if levels.count - outside == depth { builder.fail(with: tooDeep) } else { builder.open() }
    }
    open(level)
  }

  /// Enters the array or object at the current offset.
  mutating func open(_ level: Level) {
    levels.append(level)
    offset += 1
    isBeforeValue = false
  }

  /// Moves to the next member's name or the next element of the innermost level, or past the level's end; returns
  /// whether there is one.
  @inline(__always)
  mutating func advance() throws(JSONError) -> Bool {
    skipSpace()
    let byte = text.byte(at: offset)
    switch levels[levels.count - 1] {
    case .array(let index):
      if byte == UInt8(ascii: "]") {
        close(isObject: false)
        return false
      }
      if index >= 0 { try passComma(byte, before: UInt8(ascii: "]")) }
      levels[levels.count - 1] = .array(index + 1)
      isBeforeValue = true
    case .object(let name):
      if byte == UInt8(ascii: "}") {
        close(isObject: true)
        return false
      }
      if name >= 0 { try passComma(byte, before: UInt8(ascii: "}")) }
      levels[levels.count - 1] = .object(-1)
      guard text.byte(at: offset) == UInt8(ascii: "\"") else { throw error(expected: "a name in quotation marks") }
    }
    return true
  }

  @inline(__always)
  private mutating func passComma(_ byte: UInt8, before closer: UInt8) throws(JSONError) {
    let comma = offset
    guard byte == UInt8(ascii: ",") else { throw separatorError(before: closer) }
    offset += 1
    skipSpace()
    if text.byte(at: offset) == closer { throw trailingComma(at: comma, before: closer) }
  }

  mutating func close(isObject: Bool) {
    offset += 1
    if builder.isMaking {
      if isObject { closeObject() } else { builder.closeArray() }
    }
    levels.removeLast()
    if knownPaths.count > levels.count { knownPaths.removeLast(knownPaths.count - levels.count) }
    isBeforeValue = false
  }

  private mutating func closeObject() {
    for member in builder.closeObject() where ignoredMembers.count < maximumDuplicates {
      ignoredMembers.append(
        DuplicateMember(
          path: containerPath.appending(member.ignored.string), offset: member.ignored.offset,
          countedName: member.counted))
    }
  }

  @inline(__always)
  mutating func skipSpace() {
    while case let byte = text.byte(at: offset), byte <= 0x20 {
      guard byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else { return }
      offset += 1
    }
  }

  private mutating func passWord(_ word: StaticString, _ value: FlagValue) throws(JSONError) {
    for index in 0..<word.utf8CodeUnitCount where unsafe text.byte(at: offset + index) != word.utf8Start[index] {
      throw error(expected: "a value")
    }
    offset += word.utf8CodeUnitCount
    complete(value)
  }

  /// Passes a scalar to the builder while it is active.
  @inline(__always)
  private mutating func complete(_ value: @autoclosure () -> FlagValue) {
    if builder.isMaking { builder.values.append(value()) }
    isBeforeValue = false
  }
}
