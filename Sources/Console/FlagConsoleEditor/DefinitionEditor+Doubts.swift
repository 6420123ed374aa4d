import FlagDefinitions
package import FlagDomain
import FlagSupport

extension DefinitionEditor {
  /// Returns the reason why a value is probably a mistake, as a sentence; nil if the definition has such a variant.
  package func doubt(about value: FlagValue, of key: String) -> String? {
    guard let variants = store.current?.document.listing(of: key)?.variants, !variants.isEmpty,
      !variants.contains(where: { $0.value == value })
    else { return nil }
    if case .bool = value, variants.contains(where: { $0.value.shape == value.shape }) { return nil }
    if variants.contains(where: { $0.value.shape == value.shape }) {
      let names: [String] = variants.prefix(5).map { variant in "\(variant.name) (\(variant.value.shortText.excerpt))" }
      let rest = variants.count > 5 ? " and \(variants.count - 5) more" : ""
      return "The value \(value.shortText.excerpt) is none of the flag's variants: "
        + names.joined(separator: ", ") + rest + "."
    }
    return "The value has another shape than the flag's variants: expected \(variants[0].value.shape.excerpt), "
      + "found \(value.shape.excerpt)."
  }
}

extension FlagValue {
  /// The value's type, with the names and types of an object's members, and the types of a list's elements.
  fileprivate var shape: String {
    switch self {
    case .null: "nothing"
    case .bool: "true or false"
    case .int, .double: "a number"
    case .string: "a text"
    case .array(let elements): Self.shape(ofList: elements)
    case .object(let members): Self.shape(ofObject: members)
    }
  }

  private static func shape(ofList elements: [FlagValue]) -> String {
    let shapes: [String] = Set(elements.map(\.shape)).sorted()
    return shapes.isEmpty ? "a list" : "a list of " + shapes.joined(separator: " or ")
  }

  private static func shape(ofObject members: [String: FlagValue]) -> String {
    let names: [String] = members.keys.sorted()
    let parts: [String] = names.map { name in name + ": " + (members[name]?.shape ?? "nothing") }
    return "{" + parts.joined(separator: ", ") + "}"
  }
}
