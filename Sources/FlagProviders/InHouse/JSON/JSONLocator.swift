/// Finds the places of values in JSON text that the scanner has gone over.
///
/// It is made when there is something to say about a text; reading one that is well formed does without.
struct JSONLocator {
  private let bytes: [UInt8]
  private let lineStarts: [Int]
  /// Where the fields of one record stand, so that many places in it are found without going through it each time.
  private let known: [JSONPath: Int]

  /// Creates a locator that knows the places of some values already.
  init(_ bytes: [UInt8], known: [JSONPath: Int] = [:]) {
    self.bytes = bytes
    self.known = known
    lineStarts = [0] + bytes.indices.lazy.filter { bytes[$0] == 0x0a }.map { $0 + 1 }
  }

  /// Returns the position of a byte.
  func position(of offset: Int) -> TextPosition {
    let line = lineStarts.partitioningIndex { $0 > offset } - 1
    // Bytes that continue a character are not counted.
    let column = bytes[lineStarts[line]..<min(offset, bytes.count)].count { $0 & 0xc0 != 0x80 }
    return TextPosition(line: line + 1, column: column + 1)
  }

  /// Returns the position of a value, or of the innermost one around it that is there.
  func position(of path: JSONPath) -> TextPosition {
    var (start, steps) = (JSONText.start(of: bytes), path.steps[...])
    if let offset = known[path.prefix(2)] { (start, steps) = (offset, steps.dropFirst(2)) }
    var scanner = JSONScanner(bytes, at: start)
    do {
      scanner.skipSpace()
      for step in steps {
        guard let next = try scanner.offset(of: step) else { break }
        scanner = JSONScanner(bytes, at: next)
      }
      return position(of: scanner.offset)
    } catch {
      // The text was scanned before, and nothing was found to be wrong with it.
      return position(of: error.offset)
    }
  }
}

extension JSONScanner {
  /// Returns where a step from the value at the scanner's place leads, or nil where that has no such part.
  fileprivate func offset(of step: JSONPath.Step) throws(JSONError) -> Int? {
    var scanner = self
    switch step {
    case .name(let name):
      guard next == UInt8(ascii: "{") else { return nil }
      return try scanner.skipMembers().last { $0.name == name }?.value.lowerBound
    case .index(let index):
      guard next == UInt8(ascii: "[") else { return nil }
      let elements = try scanner.skipElements()
      return elements.indices.contains(index) ? elements[index].lowerBound : nil
    }
  }
}

extension [Int] {
  /// The first place whose element is as asked for, where all such elements stand at the end.
  fileprivate func partitioningIndex(where isLate: (Int) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if isLate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
