package import FlagDomain
import FlagJSON

/// The names and values that a form for rules suggests.
package struct RuleSuggestions: Hashable, Sendable {
  /// An attribute, and values of it.
  package struct Attribute: Hashable, Sendable {
    /// The name, with a dot between the names of nested attributes.
    package let name: String
    /// Values that rules compare it with, or users have: texts, numbers, true and false, at most 50.
    package let values: [FlagValue]
  }

  /// The attributes of users in general, followed by the others that rules read and users have, by name; at most 200.
  package let attributes: [Attribute]
  /// The names of the document's shared conditions, sorted.
  package let evaluators: [String]
}

extension RuleSuggestions {
  /// Collects suggestions from all rules of a document, and from users' attributes, in time proportional to both.
  package init(text: [UInt8], users: some Sequence<[String: FlagValue]>) {
    var seen = SeenValues()
    JSONReader.read(text) { reader in
      do throws(JSONError) {
        try seen.addRules(of: &reader)
      } catch {
        return  // what was found before a syntax error counts
      }
    }
    for attributes in users { seen.add(attributes) }
    attributes = seen.attributes
    evaluators = seen.evaluators.sorted()
  }
}

/// The attributes of rules and users, and their values, each once and in the order in which they were found.
private struct SeenValues {
  private var values: [String: (list: [FlagValue], known: Set<FlagValue>)] = [:]

  private(set) var evaluators: Set<String> = []

  private static let general = ["targetingKey", "countryCode", "segments", EditableRule.Test.time]
  private static let maximumAttributes = 200
  private static let maximumValues = 50
  /// The maximum length of a name or a value in bytes of UTF-8; nobody picks a longer one from a list.
  private static let maximumLength = 200

  init() { for name in Self.general { values[name] = ([], []) } }

  var attributes: [RuleSuggestions.Attribute] {
    let others = values.keys.filter { !Self.general.contains($0) }.sorted()
    return (Self.general + others).map { RuleSuggestions.Attribute(name: $0, values: values[$0]?.list ?? []) }
  }

  private mutating func add(_ name: String, _ constants: some Sequence<FlagValue>) {
    if values[name] == nil {
      guard values.count < Self.maximumAttributes, (1...Self.maximumLength).contains(name.utf8.count) else { return }
    }
    var seen = values.removeValue(forKey: name) ?? ([], [])
    for value in constants where value.isScalar && value != .null {
      guard seen.list.count < Self.maximumValues else { break }
      if let text = value.text, text.utf8.count > Self.maximumLength { continue }
      if seen.known.insert(value).inserted { seen.list.append(value) }
    }
    values[name] = seen
  }

  // MARK: - Users

  mutating func add(_ attributes: [String: FlagValue]) {
    var rest = attributes.map { (name: $0, value: $1) }
    while let (name, value) = rest.popLast() {
      if let fields = value.fields {
        rest += fields.map { ("\(name).\($0)", $1) }
      } else {
        add(name, value.elements ?? [value])
      }
    }
  }

  // MARK: - Rules

  mutating func addRules(of reader: inout JSONReader) throws(JSONError) {
    guard reader.kind == .object else { return }
    try reader.enterObject()
    while let section = try reader.nextRepresentableMember() {
      guard section.text == "flags" || section.text == "$evaluators", reader.kind == .object else { continue }
      try reader.enterObject()
      while let name = try reader.nextRepresentableMember() {
        if section.text == "flags" {
          try addRule(ofFlag: &reader)
        } else {
          if let name = name.text { evaluators.insert(name) }
          try addRule(&reader)
        }
      }
    }
  }

  private mutating func addRule(ofFlag reader: inout JSONReader) throws(JSONError) {
    guard reader.kind == .object else { return }
    try reader.enterObject()
    while let member = try reader.nextRepresentableMember() {
      if member.text == "targeting" { try addRule(&reader) }
    }
  }

  private mutating func addRule(_ reader: inout JSONReader) throws(JSONError) {
    do throws(JSONError) {
      add(rule: try reader.readValue())
    } catch {
      guard error.code == .range else { throw error }
    }
  }

  private mutating func add(rule: FlagValue) {
    rule.walk { value in
      guard let fields = value.fields else { return value.parts.reversed() }
      guard fields.count == 1, let (name, argument) = fields.first else { return [] }
      if name == "var", let name = (argument.elements?.first ?? argument).text { add(name, []) }
      guard let operands = argument.elements, !Self.results.contains(name) else { return [argument] }
      let attributes = Set(operands.compactMap(\.variable))
      guard !attributes.isEmpty else { return [argument] }
      let constants = operands.dropFirst(name == "sem_ver" ? 2 : 0).lazy.flatMap { $0.elements ?? [$0] }
        .filter { $0.isScalar && $0 != .null }
      // No more than an attribute keeps, so that the time is linear in the number of operands.
      let values = Array(constants.prefix(Self.maximumValues))
      for attribute in attributes.sorted() { add(attribute, values) }
      return [argument]
    }
  }

  /// The operators whose operands are results, or variants, and not values of an attribute.
  private static let results: Set = ["if", "?:", "and", "or", "!", "!!", "var", "fractional", "cat", "missing"]
}

extension FlagValue {
  /// The name of the attribute that a rule reads, if it does nothing else.
  fileprivate var variable: String? {
    guard let fields, fields.count == 1, let argument = fields["var"] else { return nil }
    return (argument.elements?.first ?? argument).text
  }
}
