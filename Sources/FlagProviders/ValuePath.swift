public import FlagDomain

/// A way into a structured value: the names of fields and the places in lists, joined by dots.
///
/// `config.features` is the field `features` of the field `config`; `rows.1.name` is a field of the second element
/// of a list. Whether a number is a place or a name depends on what is found there. A backslash takes the next character
/// as it stands, so `a\.b` is one field with a dot in its name.
public struct ValuePath: Hashable, Sendable {
  /// The names and places, from the outside in.
  public var components: [String]

  /// Creates a path from its components; none at all is the value itself.
  public init(_ components: [String] = []) { self.components = components }
}

extension ValuePath: LosslessStringConvertible {
  /// Creates a path from its text; every text is one.
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

  /// The path as text, dots and backslashes in names escaped.
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
  /// The part of the value that a path leads to; nil where a field or a place does not exist.
  public subscript(path: ValuePath) -> FlagValue? {
    path.components.reduce(self as FlagValue?) { value, component in value?.child(component) }
  }

  private func child(_ component: String) -> FlagValue? {
    switch self {
    case .object(let fields): fields[component]
    case .array(let elements): Self.place(component, among: elements.indices).map { elements[$0] }
    default: nil
    }
  }

  /// Returns the number that a component is, written as numbers are: no sign, no leading zero.
  static func place(_ component: String, among places: Range<Int>) -> Int? {
    Int(component).flatMap { places.contains($0) && String($0) == component ? $0 : nil }
  }

  /// The names of fields, or the places of elements.
  var childNames: [String] {
    switch self {
    case .object(let fields): Array(fields.keys)
    case .array(let elements): elements.indices.map(String.init)
    default: []
    }
  }
}
