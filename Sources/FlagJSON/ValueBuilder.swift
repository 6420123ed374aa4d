import FlagDomain

/// Puts values together from their parts, while a reader goes over these.
///
/// Finished values wait on one stack until the array or object around them ends. So each array is made once, at its
/// right size.
struct ValueBuilder {
  /// The name of a member, and the offset of its quotation mark.
  struct Name {
    let string: String
    let offset: Int
  }

  /// Whether what the reader passes is made into values.
  var isMaking = false
  /// The finished values that are not yet part of others.
  var values: [FlagValue] = []
  /// The names of the members, finished or begun, of the objects that are not yet finished.
  var names: [Name] = []
  /// For each unfinished array and object, how many values there were when it began.
  private var starts: [Int] = []
  private var failure: JSONError?
}

extension ValueBuilder {
  mutating func begin() {
    clear()
    isMaking = true
    failure = nil
  }

  /// Gives up the value that was begun, because it cannot be held.
  mutating func fail(with error: JSONError) {
    clear()
    isMaking = false
    failure = error
  }

  /// Returns the value that was begun, or throws what kept it from being made.
  mutating func end() throws(JSONError) -> FlagValue {
    if let failure { throw failure }
    return values.removeLast()
  }

  /// Begins an array or an object.
  mutating func open() { starts.append(values.count) }

  /// Makes an array of the values since it began.
  mutating func closeArray() {
    let elements = Array(values[starts.removeLast()...])
    values.removeLast(elements.count)
    values.append(.array(elements))
  }

  /// Makes an object of the values since it began and of their names; of members with one name, the last one counts.
  ///
  /// - Returns: The members that do not count, the last one first, each with the name of the one that does.
  mutating func closeObject() -> [(ignored: Name, counted: String)] {
    let count = values.count - starts.removeLast()
    var members = [String: FlagValue](minimumCapacity: count)
    var repeated: [(ignored: Name, counted: String)] = []
    for _ in 0..<count {
      let name = names.removeLast()
      guard let later = members.updateValue(values.removeLast(), forKey: name.string) else { continue }
      // The member that came later in the text was here first, and stays with its name.
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
