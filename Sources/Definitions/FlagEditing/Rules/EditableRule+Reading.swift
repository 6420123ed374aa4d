package import FlagDomain
import FlagJSON

extension EditableRule {
  /// Reads a rule.
  ///
  /// - Parameter text: The rule's JSON; an empty text, or an empty object, is no rule.
  /// - Throws: A parse error with line and column if the text is not JSON.
  package init(_ text: String) throws(FlagError) {
    self.text = text
    let bytes = Array(text.allSatisfy(\.isWhitespace) ? "{}".utf8 : text.utf8)
    let node = try RuleNode(bytes)
    let isEmpty = if case .object(let members) = node.content { members.isEmpty } else { false }
    (branches, otherwise) = RuleReading(text: bytes).chain(isEmpty ? nil : node, at: .root, id: "", levels: 0)
  }
}

/// Makes the parts of an editable rule from the values of its text.
private struct RuleReading {
  let text: [UInt8]

  /// The maximum number of groups and branches inside one another that have a form.
  private static let maximumLevels = 16

  /// Reads a rule or an outcome with its branches, and those after each "else"; nil for none.
  func chain(
    _ node: RuleNode?, at path: DocumentPath, id: String, levels: Int
  ) -> (branches: [EditableRule.Branch], otherwise: EditableRule.Outcome) {
    var branches: [EditableRule.Branch] = []
    var (node, path) = (node, path)
    while let current = node, let (name, elements) = current.conditions {
      let array = path.appending(name)
      for index in stride(from: 0, to: elements.count - 1, by: 2) {
        let part = "\(id)\(branches.count)"
        branches.append(
          EditableRule.Branch(
            condition: condition(elements[index], at: array.appending(index), id: part, levels: levels + 1),
            outcome: outcome(elements[index + 1], at: array.appending(index + 1), id: "\(part)o", levels: levels + 1)))
      }
      path = array.appending(elements.count / 2 * 2)
      node = elements.count % 2 == 1 ? elements.last : nil
    }
    let otherwise = node.map { simpleOutcome($0) } ?? .defaultVariant
    return (branches, EditableRule.Outcome(id: "\(id)e", content: otherwise, path: path))
  }

  private func outcome(_ node: RuleNode, at path: DocumentPath, id: String, levels: Int) -> EditableRule.Outcome {
    let content: EditableRule.Outcome.Content
    if node.conditions != nil {
      let chain = levels < Self.maximumLevels ? chain(node, at: path, id: id, levels: levels) : nil
      content = chain.map { .branches($0.branches, otherwise: $0.otherwise) } ?? .json(laidOut(node))
    } else {
      content = simpleOutcome(node)
    }
    return EditableRule.Outcome(id: id, content: content, path: path)
  }

  private func simpleOutcome(_ node: RuleNode) -> EditableRule.Outcome.Content {
    switch node.content {
    case .scalar(.null): .defaultVariant
    case .scalar(.bool(let isTrue)): .variant(isTrue ? "true" : "false")
    case .scalar(.string(let name)): .variant(name)
    default: EditableRule.Shares(node).map { .shares($0) } ?? .json(laidOut(node))
    }
  }

  private func condition(_ node: RuleNode, at path: DocumentPath, id: String, levels: Int) -> EditableRule.Condition {
    let content: EditableRule.Condition.Content
    if let test = EditableRule.Test(node) {
      content = .test(test)
    } else if let (name, argument) = node.operation, name == "$ref", let name = argument.scalar?.text {
      content = .shared(name)
    } else if levels <= Self.maximumLevels, let group = GroupForm(node, at: path) {
      let conditions = group.operands.enumerated().map { index, operand in
        condition(operand.node, at: operand.path, id: "\(id).\(index)", levels: levels + 1)
      }
      content = .group(group.kind, conditions)
    } else {
      content = .json(laidOut(node))
    }
    return EditableRule.Condition(id: id, content: content, path: path)
  }

  /// Returns a value laid out for reading; one that is nested too deeply stays as it is written.
  private func laidOut(_ node: RuleNode) -> String {
    let source = String(decoding: text[node.range], as: UTF8.self)
    if node.isTooDeep { return source }
    do throws(FlagError) {
      return try JSONFormatter.laidOut(source)
    } catch {
      return source
    }
  }
}

/// A group of conditions as operators write it: `and`, `or`, or a negation, also of an `or`.
struct GroupForm {
  let kind: EditableRule.Condition.Group
  let operands: [(node: RuleNode, path: DocumentPath)]
  /// The path of the value that has the operands: an array, or the only one of them.
  let argument: DocumentPath

  /// Whether it negates its only condition, without an `or`.
  var isBare: Bool { kind == .none && argument.steps.last == .member("!") }

  /// Reads a group; nil if the value is none.
  init?(_ node: RuleNode, at path: DocumentPath) {
    guard let (name, argument) = node.operation else { return nil }
    let path = path.appending(name)
    switch name {
    case "and" where !argument.operands.isEmpty: self.init(.all, argument, at: path)
    case "or" where !argument.operands.isEmpty: self.init(.any, argument, at: path)
    case "!" where argument.operands.count == 1:
      let inner = argument.operands[0]
      let innerPath = argument.elements == nil ? path : path.appending(0)
      if let (name, alternatives) = inner.operation, name == "or", !alternatives.operands.isEmpty {
        self.init(.none, alternatives, at: innerPath.appending(name))
      } else {
        self.init(.none, argument, at: path)
      }
    default: return nil
    }
  }

  private init(_ kind: EditableRule.Condition.Group, _ argument: RuleNode, at path: DocumentPath) {
    let isArray = argument.elements != nil
    operands = argument.operands.enumerated().map { ($1, isArray ? path.appending($0) : path) }
    (self.kind, self.argument) = (kind, path)
  }
}

extension RuleNode {
  /// The operator and the operands of an `if`.
  fileprivate var conditions: (name: String, elements: [RuleNode])? {
    guard let (name, argument) = operation, name == "if" || name == "?:", let elements = argument.elements else {
      return nil
    }
    return (name, elements)
  }
}

extension EditableRule.Shares {
  /// Reads shares; nil if they are computed, or users are assigned by anything but an attribute.
  init?(_ node: RuleNode) {
    guard let (name, argument) = node.operation, name == "fractional", var parts = argument.elements,
      let first = parts.first
    else { return nil }
    if first.elements == nil {
      parts.removeFirst()
      if let attribute = first.variable {
        (bucketBy, isSameForAllFlags) = (attribute, true)
      } else if let (name, argument) = first.operation, name == "cat", let texts = argument.elements, texts.count == 2,
        texts[0].variable == "$flagd.flagKey", let attribute = texts[1].variable
      {
        (bucketBy, isSameForAllFlags) = (attribute, false)
      } else {
        return nil
      }
    } else {
      (bucketBy, isSameForAllFlags) = (nil, false)
    }
    entries = parts.compactMap(Entry.init)
    guard !entries.isEmpty, entries.count == parts.count else { return nil }
  }

  /// The shares as a value of JSON.
  var json: FlagValue {
    let shares = entries.map { FlagValue.array([.string($0.variant), .int(Int128($0.weight))]) }
    guard let bucketBy else { return ["fractional": .array(shares)] }
    let variable: FlagValue = ["var": .string(bucketBy)]
    let key: FlagValue = isSameForAllFlags ? variable : ["cat": [["var": "$flagd.flagKey"], variable]]
    return ["fractional": .array([key] + shares)]
  }
}

extension EditableRule.Shares.Entry {
  fileprivate init?(_ node: RuleNode) {
    guard let parts = node.elements, (1...2).contains(parts.count), case .string(let variant)? = parts[0].scalar else {
      return nil
    }
    guard parts.count == 2 else {
      self.init(variant, 1)
      return
    }
    guard case .int(let number)? = parts[1].scalar, let weight = Int(exactly: number), weight >= 0 else { return nil }
    self.init(variant, weight)
  }
}
