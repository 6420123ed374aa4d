package import FlagDefinitions
package import FlagDomain

/// A check that a part of a document closes its flag whenever one of its values has another shape.
package struct ShapeCheck {
  /// A shape that a value has in place of its own.
  package enum Shape: String, CaseIterable, Sendable {
    case null, text, emptyText, number, bool, array, emptyArray, object, emptyObject

    package static let scalars: Set<Shape> = [.null, .text, .emptyText, .number, .bool]
    package static let all = Set(allCases)

    fileprivate var value: FlagValue {
      switch self {
      case .null: .null
      case .text: "text"
      case .emptyText: ""
      case .number: 7
      case .bool: true
      case .array: ["text"]
      case .emptyArray: []
      case .object: ["text": 7]
      case .emptyObject: [:]
      }
    }

    /// Whether a value of the shape differs from another in more than content.
    fileprivate func differs(from value: FlagValue) -> Bool {
      switch (self, value) {
      case (.null, .null), (.text, .string), (.number, .int), (.number, .double), (.bool, .bool), (.array, .array),
        (.object, .object):
        false
      default: self.value != value
      }
    }
  }

  /// The shapes that the vendor reads at a place: by its path, with a star for the number of an element.
  package typealias RightShapes = [String: Set<Shape>]

  private let format: any DefinitionFormat
  private let contexts: [EvaluationContext]
  private let closed: FlagValue
  private let document: (FlagValue) -> FlagValue

  /// Creates a check of the flag `f`.
  ///
  /// - Parameters:
  ///   - format: The format of the documents.
  ///   - contexts: The users.
  ///   - closed: The value of those who do not get what the part gives.
  ///   - document: Makes a document from the part.
  package init(
    _ format: any DefinitionFormat, for contexts: [EvaluationContext], closed: FlagValue,
    document: @escaping (FlagValue) -> FlagValue
  ) {
    (self.format, self.contexts, self.closed, self.document) = (format, contexts, closed, document)
  }
}

extension ShapeCheck {
  /// Returns what is wrong with the documents in which one value of a part has another shape.
  package func failures(of part: FlagValue, right: RightShapes, only: (String) -> Bool = { _ in true }) -> [String] {
    guard let expected = try? answers(to: part).answers else { return ["the document cannot be read: \(part)"] }
    var failures = expected.contains { $0 == nil } ? ["the well-formed part is an error: \(part)"] : []
    if Set(expected) == [closed] { failures.append("nobody gets anything by \(part)") }
    for change in part.changes() where only(change.path) && right[change.pattern]?.contains(change.shape) != true {
      // A document that cannot be read at all is closed, and says why.
      guard let found = try? answers(to: change.value) else { continue }
      let what = "\(change.path) as \(change.shape)"
      let open = zip(found.answers, expected).count { $0 != nil && $0 != closed && $0 != $1 }
      if open > 0 { failures.append("\(what): \(open) get what they should not, of \(part)") }
      if !found.isDiagnosed { failures.append("\(what): no diagnostic, of \(part)") }
    }
    return failures
  }

  /// Returns the users' values, nil for an error, and whether there are diagnostics.
  private func answers(
    to part: FlagValue
  ) throws(FlagDocumentError) -> (answers: [FlagValue?], isDiagnosed: Bool) {
    let document = try format.read(Array("\(self.document(part))".utf8), of: nil)
    let answers = contexts.map { context -> FlagValue? in
      do throws(FlagError) {
        return try document.evaluate("f", in: context, at: 0)?.value ?? closed
      } catch {
        return nil
      }
    }
    return (answers, !document.diagnostics.isEmpty)
  }
}

private struct ShapeChange {
  var steps: [String] = []
  let shape: ShapeCheck.Shape
  var value: FlagValue

  var path: String { steps.joined(separator: ".") }
  var pattern: String { steps.map { Int($0) == nil ? $0 : "*" }.joined(separator: ".") }
}

extension FlagValue {
  /// Returns the values in which this one, or one inside it, has another shape.
  fileprivate func changes() -> [ShapeChange] {
    var changes = ShapeCheck.Shape.allCases.filter { $0.differs(from: self) }.map { shape in
      ShapeChange(shape: shape, value: shape.value)
    }
    func add(_ step: String, _ inner: FlagValue, _ replace: (FlagValue) -> FlagValue) {
      for var change in inner.changes() {
        change.steps.insert(step, at: 0)
        change.value = replace(change.value)
        changes.append(change)
      }
    }
    switch self {
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        add(String(index), element) { value in
          var elements = elements
          elements[index] = value
          return .array(elements)
        }
      }
    case .object(let members):
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        add(name, member) { .object(members.merging([name: $0]) { $1 }) }
      }
    case .null, .bool, .int, .double, .string: break
    }
    return changes
  }
}
