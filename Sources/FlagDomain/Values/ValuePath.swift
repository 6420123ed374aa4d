/// A path into a structured value: the names of fields and the indexes of elements, joined by dots.
///
/// `config.features` is the field `features` of the field `config`; `rows.1.name` is a field of the second element of
/// an array. Whether a number is an index or a name depends on the value at that point. A backslash escapes the next
/// character, so `a\.b` is one field with a dot in its name.
///
/// ```swift
/// let limit = try config["limits.0.max"]?.decode(as: Int.self)
/// ```
public struct ValuePath: Hashable, Sendable {
  /// The names and indexes, outermost first.
  public var components: [String]

  /// Creates a path from its components; an empty path is the value itself.
  public init(_ components: [String] = []) { self.components = components }
}

extension ValuePath: LosslessStringConvertible {
  /// Creates a path from its text; every text is valid.
  public init(_ text: String) {
    components = text.isEmpty ? [] : [""]
    var isEscaped = false
    for character in text {
      switch (character, isEscaped) {
      case ("\\", false): isEscaped = true
      case (".", false): components.append("")
      default:
        components[components.count - 1].append(character)
        isEscaped = false
      }
    }
    if isEscaped { components[components.count - 1].append("\\") }
  }

  /// The path as text, with dots and backslashes in names escaped.
  public var description: String {
    components
      .map { $0.replacing("\\", with: "\\\\").replacing(".", with: "\\.") }
      .joined(separator: ".")
  }
}

extension ValuePath: ExpressibleByStringLiteral {
  /// Creates a path from its text.
  public init(stringLiteral text: String) { self.init(text) }
}

extension FlagValue {
  /// The part of the value at a path, or nil if there is no such part, for any reason.
  public subscript(path: ValuePath) -> FlagValue? {
    path.components.reduce(self as FlagValue?) { value, component in value?.child(component) }
  }

  /// Returns the part of the value at a path; nil if an object on the path has no such field.
  ///
  /// - Throws: A type mismatch with the place, when the path leads through something that has no parts, or to an index
  ///   that an array does not have.
  public func part(at path: ValuePath) throws(FlagError) -> FlagValue? {
    var part = self
    for (level, component) in path.components.enumerated() {
      guard let child = part.child(component) else {
        if case .object = part { return nil }
        throw part.mismatch(at: ValuePath(Array(path.components.prefix(level))), found: component)
      }
      part = child
    }
    return part
  }

  private func child(_ component: String) -> FlagValue? {
    switch self {
    case .object(let fields): fields[component]
    case .array(let elements): Self.place(component, among: elements.indices).map { elements[$0] }
    default: nil
    }
  }

  private func mismatch(at path: ValuePath, found component: String) -> FlagError {
    guard case .array(let elements) = self else {
      return FlagError(.typeMismatch, "expected an object or an array at \"\(path)\", found \(typeName)")
    }
    return FlagError(
      .typeMismatch,
      "expected an index below \(elements.count) for the array at \"\(path)\", found \"\(component.prefix(100))\"")
  }

  /// Returns the index that a component represents, in the usual form: no sign, no leading zero.
  package static func place(_ component: String, among places: Range<Int>) -> Int? {
    Int(component).flatMap { places.contains($0) && String($0) == component ? $0 : nil }
  }

  /// The names of fields, or the indexes of elements.
  package var childNames: [String] {
    switch self {
    case .object(let fields): Array(fields.keys)
    case .array(let elements): elements.indices.map(String.init)
    default: []
    }
  }
}
