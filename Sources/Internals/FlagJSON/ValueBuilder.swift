import FlagDomain

/// Builds values from their parts, while a reader parses these.
///
/// Finished values stay on one stack until the array or object around them ends. So each array is allocated once, at
/// its final size.
struct ValueBuilder {
  /// The name of a member, and the offset of its quotation mark.
  typealias Name = (string: String, offset: Int)

  /// Whether the values that the reader passes over are built.
  var isMaking = false
  /// The finished values that are not yet part of a container.
  var values: [FlagValue] = []
  /// The names of the members, finished or begun, of the unfinished objects.
  var names: [Name] = []
  /// The number of values at the beginning of each unfinished array and object.
  private var starts: [Int] = []
  private var failure: JSONError?

  mutating func begin() {
    clear()
    isMaking = true
    failure = nil
  }

  /// Abandons the current value, because it cannot be represented.
  mutating func fail(with error: JSONError) {
    clear()
    isMaking = false
    failure = error
  }

  /// Returns the finished value, or throws the error that prevented it.
  mutating func end() throws(JSONError) -> FlagValue {
    if let failure { throw failure }
    return values.removeLast()
  }

  /// Begins an array or an object.
  mutating func open() { starts.append(values.count) }

  /// Creates an array of the values since it began.
  mutating func closeArray() {
    let elements = Array(values[starts.removeLast()...])
    values.removeLast(elements.count)
    values.append(.array(elements))
  }

  /// Creates an object of the values since it began and of their names; of members with one name, the last one counts.
  ///
  /// - Returns: The ignored members, the last one first, each with the name of the one that counts.
  mutating func closeObject() -> [(ignored: Name, counted: String)] {
    let count = values.count - starts.removeLast()
    var members = [String: FlagValue](minimumCapacity: count)
    var repeated: [(ignored: Name, counted: String)] = []
    for _ in 0..<count {
      let name = names.removeLast()
      guard let later = members.updateValue(values.removeLast(), forKey: name.string) else { continue }
      // The member that is later in the text was added first, and keeps its name.
      members[name.string] = later
      if let index = members.index(forKey: name.string) { repeated.append((name, members.keys[index])) }
    }
    values.append(.object(members))
    return repeated
  }

  private mutating func clear() {
    values.removeAll(keepingCapacity: true)
    names.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
  }
}
