import FlagDomain

extension FlagValue {
  /// Returns the value with another part at a path, or without that part if it is nil.
  ///
  /// Missing objects on the path are created, and removed when they become empty; an array grows by the index after its
  /// last element.
  ///
  /// - Throws: A `FlagError` when something on the path has no such field or index, or a value other than an object
  ///   would replace an object that has fields: they may be other flags' values, and must be removed first.
  func setting(_ part: FlagValue?, at path: ValuePath) throws(FlagError) -> FlagValue {
    try replacing(at: path.components[...], by: part, in: path) ?? .object([:])
  }

  /// Returns the value with a part replaced inside it; nil if the value itself is removed.
  private func replacing(
    at rest: ArraySlice<String>, by part: FlagValue?, in path: ValuePath
  ) throws(FlagError) -> FlagValue? {
    guard let component = rest.first else {
      if let part { try checkReplacing(by: part, at: path) }
      return part
    }
    let child = self[ValuePath([component])]
    if child == nil && part == nil { return self }
    var new = try (child ?? .object([:])).replacing(at: rest.dropFirst(), by: part, in: path)
    switch self {
    case .object(var fields):
      fields[component] = new
      return fields.isEmpty ? nil : .object(fields)
    case .array(let elements):
      // An element that has become empty stays, so that the following ones keep their indexes.
      if new == nil, rest.count > 1 { new = .object([:]) }
      return .array(try Self.elements(elements, with: new, at: component, in: path))
    default: throw FlagError(.general, "expected an object or a list around \(component) of \(path), found \(typeName)")
    }
  }

  private func checkReplacing(by part: FlagValue, at path: ValuePath) throws(FlagError) {
    guard case .object(let fields) = self, !fields.isEmpty else { return }
    if case .object = part { return }
    throw FlagError(
      .general,
      "expected an object for \(path), found \(part.typeName): it would replace the \(fields.count) field(s) there, "
        + "which must be removed first")
  }

  private static func elements(
    _ elements: [FlagValue], with new: FlagValue?, at component: String, in path: ValuePath
  ) throws(FlagError) -> [FlagValue] {
    let place = place(component, among: 0..<elements.count + 1) ?? -1
    switch new {
    case let new? where elements.indices.contains(place):
      var elements = elements
      elements[place] = new
      return elements
    case let new? where place == elements.count: return elements + [new]
    case nil where place == elements.count - 1: return Array(elements.dropLast())
    default:
      throw FlagError(
        .general, "expected an index from 0 to \(new == nil ? elements.count - 1 : elements.count) for \(path)")
    }
  }
}
