import FlagDefinitions
import FlagDomain
import FlagJSON

/// A value of a rule's text with its place, its members in their order, and those of one name as they are written.
struct RuleNode {
  enum Content {
    case scalar(FlagValue)
    case array([RuleNode])
    /// Members, whose name is nil if it cannot be represented.
    case object([(name: String?, value: RuleNode)])
    /// A value that cannot be represented, or is nested more deeply than rules may be.
    case unreadable(isTooDeep: Bool)
  }

  /// The offsets of its bytes.
  let range: Range<Int>
  let content: Content

  /// Reads a text.
  ///
  /// - Throws: A parse error with line and column if it is not JSON.
  init(_ text: some Collection<UInt8>) throws(FlagError) {
    do throws(JSONError) {
      self = try JSONReader.read(text, depth: RuleLimits.levels) { reader throws(JSONError) in
        let node = try RuleNode(&reader)
        try reader.finish()
        return node
      }
    } catch {
      throw FlagError(error, in: text)
    }
  }

  /// Reads the next value; it recurses, to no more than the depth of the reader.
  private init(_ reader: inout JSONReader) throws(JSONError) {
    let (start, kind) = (reader.offset, reader.kind)
    do throws(JSONError) {
      content = try Self.content(of: kind, &reader)
    } catch {
      guard error.code == .range else { throw error }
      content = .unreadable(isTooDeep: kind == .array || kind == .object)
    }
    range = start..<reader.offset
  }

  private static func content(of kind: JSONKind?, _ reader: inout JSONReader) throws(JSONError) -> Content {
    switch kind {
    case .object:
      var members: [(name: String?, value: RuleNode)] = []
      try reader.enterObject()
      while let name = try reader.nextRepresentableMember() { members.append((name.text, try RuleNode(&reader))) }
      return .object(members)
    case .array:
      var elements: [RuleNode] = []
      try reader.enterArray()
      while try reader.nextElement() { elements.append(try RuleNode(&reader)) }
      return .array(elements)
    default: return .scalar(try reader.readValue())
    }
  }

  var scalar: FlagValue? { if case .scalar(let value) = content { value } else { nil } }

  var elements: [RuleNode]? { if case .array(let elements) = content { elements } else { nil } }

  /// The elements of an array, or the value itself: the operands of an operator that has the value as its argument.
  var operands: [RuleNode] { elements ?? [self] }

  /// The only member of an object: the name of an operator, and its argument.
  var operation: (name: String, argument: RuleNode)? {
    guard case .object(let members) = content, members.count == 1, let name = members[0].name else { return nil }
    return (name, members[0].value)
  }

  /// The name of the attribute that the value reads, if it does nothing else.
  var variable: String? {
    guard let (name, argument) = operation, name == "var", argument.operands.count == 1,
      case .string(let attribute)? = argument.operands[0].scalar, !attribute.isEmpty
    else { return nil }
    return attribute
  }

  /// The value; nil if a part of it cannot be represented, or members have the same name.
  var value: FlagValue? {
    switch content {
    case .scalar(let value): return value
    case .unreadable: return nil
    case .array(let elements):
      let values = elements.compactMap(\.value)
      return values.count == elements.count ? .array(values) : nil
    case .object(let members):
      var values: [String: FlagValue] = [:]
      for case let (name?, value) in members { values[name] = value.value }
      return values.count == members.count ? .object(values) : nil
    }
  }

  /// Whether a part is nested more deeply than rules may be.
  var isTooDeep: Bool {
    switch content {
    case .scalar: false
    case .unreadable(let isTooDeep): isTooDeep
    case .array(let elements): elements.contains(where: \.isTooDeep)
    case .object(let members): members.contains(where: \.value.isTooDeep)
    }
  }
}

extension JSONReader {
  /// Moves to the next member; its text is nil if the name cannot be represented.
  mutating func nextRepresentableMember() throws(JSONError) -> (text: String?, Void)? {
    do throws(JSONError) {
      return try nextMember().map { ($0, ()) }
    } catch {
      guard error.code == .range else { throw error }
      return (nil, ())
    }
  }
}
