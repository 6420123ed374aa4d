import FlagDefinitions
public import FlagDomain
import FlagEditing

/// Changes from user interfaces, which share the same confirmations.
extension ConsoleModel {
  /// Applies a change, or returns the confirmation that it needs; ``apply(_:)`` applies it once confirmed.
  ///
  /// - Returns: The pending change, or nil if the change was applied.
  /// - Throws: The errors of the change; nothing is changed then.
  public func submit(_ change: ConsoleChange) throws(FlagError) -> PendingConsoleChange? {
    if let question = question(before: change) { return PendingConsoleChange(change: change, question: question) }
    try apply(change)
    return nil
  }

  /// Returns the confirmation that a change needs; nil if it needs none, or if the change would be refused.
  public func question(before change: ConsoleChange) -> FlagQuestion? {
    switch change {
    case .override(let key, let text), .write(let key, let text, _):
      guard let entry = changeable(key), let value = entry.taken(text) else { return nil }
      let restart = entry.flag.metadata.changingQuestion
      guard case .override = change, let doubt = doubt(about: value, of: key) else { return restart }
      return FlagQuestion(
        title: "Unknown value", message: [doubt, restart?.message].compactMap { $0 }.joined(separator: " "),
        confirmation: "Override anyway")
    case .remove(let key, _): return changeable(key)?.flag.metadata.changingQuestion
    case .clear(let key):
      // Only a flag that requires a restart is resolved, to find out whether its override is in effect.
      guard let entry = changeable(key), let question = entry.flag.metadata.changingQuestion else { return nil }
      let isOverridden = snapshot().resolution(of: entry.flag).reason == .override
      return isOverridden ? question : nil
    case .clearAll: return list(FlagQuery(limit: 0)).clearingQuestion
    }
  }

  /// Applies a change without confirmation.
  ///
  /// - Throws: The errors of the change; nothing is changed then.
  public func apply(_ change: ConsoleChange) throws(FlagError) {
    switch change {
    case .override(let key, let text):
      let entry = try editable(key)
      try override(entry, with: entry.value(entering: text))
    case .clear(let key): try clearOverride(of: key)
    case .write(let key, let text, let provider):
      let entry = try editable(key, by: .edit)
      try write(.set(entry.value(entering: text)), to: entry, in: [provider].compactMap { $0 })
    case .remove(let key, let provider): try write(.remove, to: key, in: [provider])
    case .clearAll: try clearOverrides()
    }
  }

  /// Returns the reason why a value is probably a mistake, as a sentence; nil if the definition has such a variant.
  func doubt(about value: FlagValue, of key: String) -> String? {
    guard let variants = ports.definitions?.current?.document.listing(of: key)?.variants, !variants.isEmpty,
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

  private func changeable(_ key: String) -> CatalogEntries.Entry? {
    entry(key).flatMap { lockReason(of: $0) == nil ? $0 : nil }
  }
}

extension CatalogEntries.Entry {
  fileprivate func value(entering text: String?) throws(FlagError) -> FlagValue {
    try text.map { text throws(FlagError) in try editor.value(of: text) } ?? .null
  }

  /// Returns the value that a text is; nil if it is malformed, which is reported at once, not after a confirmation.
  fileprivate func taken(_ text: String?) -> FlagValue? {
    guard let text else { return dataType.isOptional ? .null : nil }
    do throws(FlagError) {
      return try editor.value(of: text)
    } catch {
      return nil
    }
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
