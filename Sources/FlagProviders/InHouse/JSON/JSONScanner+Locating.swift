extension JSONScanner {
  /// Returns where the value at a path begins, or the innermost value around it that is there.
  mutating func locate(_ path: JSONPath) throws(JSONError) -> Int {
    skipSpace()
    for step in path.steps {
      guard let start = try offset(of: step) else { break }
      self = JSONScanner(bytes, at: start)
    }
    return offset
  }

  private func offset(of step: JSONPath.Step) throws(JSONError) -> Int? {
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
