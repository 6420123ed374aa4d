import FlagDomain

/// The steps from a document's outermost value to one inside it.
///
/// Paths are compared by code points. Appending a step copies nothing: a path shares the one that it extends.
package struct DocumentPath: Sendable {
  package enum Step: Sendable {
    case member(String)
    /// The element at this index, counted from zero.
    case element(Int)
  }

  /// The last step, which refers to the one before it; nil for the outermost value.
  package let last: Node?

  /// A step, and a reference to those before it.
  ///
  /// Releasing nodes recurses, so paths are no deeper than readers let documents be.
  package final class Node: Sendable {
    let parent: Node?
    package let step: Step
    let count: Int

    init(_ step: Step, after parent: Node?) {
      self.parent = parent
      self.step = step
      count = (parent?.count ?? 0) + 1
    }
  }

  private init(_ last: Node?) { self.last = last }

  package static let root = DocumentPath(nil)

  /// Creates a path of steps, outermost first.
  package init(_ steps: some Sequence<Step>) { self = steps.reduce(.root) { $0.appending($1) } }

  package var count: Int { last?.count ?? 0 }

  /// The steps, outermost first.
  package var steps: [Step] { nodes.reversed().map(\.step) }

  package func appending(_ step: Step) -> DocumentPath { DocumentPath(Node(step, after: last)) }

  package func appending(_ name: String) -> DocumentPath { appending(.member(name)) }

  package func appending(_ index: Int) -> DocumentPath { appending(.element(index)) }

  /// Returns the path of the first steps, up to a count; the whole path, if it has no more.
  package func prefix(_ count: Int) -> DocumentPath {
    var node = last
    while let inner = node, inner.count > count { node = inner.parent }
    return DocumentPath(node)
  }

  /// The nodes, innermost first.
  var nodes: some Sequence<Node> {
    sequence(state: last) { node in
      defer { node = node?.parent }
      return node
    }
  }
}

extension DocumentPath: Hashable {
  package static func == (left: DocumentPath, right: DocumentPath) -> Bool {
    guard left.count == right.count else { return false }
    for (left, right) in zip(left.nodes, right.nodes) {
      if left === right { return true }
      if left.step != right.step { return false }
    }
    return true
  }

  package func hash(into hasher: inout Hasher) {
    for node in nodes { hasher.combine(node.step) }
  }
}

extension DocumentPath.Step: Hashable {
  package static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.member(let left), .member(let right)): left.utf8.elementsEqual(right.utf8)
    case (.element(let left), .element(let right)): left == right
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    // Names with the same code points are equal in Swift, too, and so have the same hash.
    case .member(let name): hasher.combine(name)
    case .element(let index): hasher.combine(index)
    }
  }
}

extension DocumentPath: CustomStringConvertible {
  /// The path as text: `$` for the outermost value, `.name` for a member, `[index]` for an element.
  ///
  /// If the path has many steps, or long ones, those in the middle are left out.
  package var description: String {
    let steps = steps
    let beginning = steps.count > 64 ? 48 : steps.count
    var text = "$"
    var shown = 0
    while shown < beginning, text.utf8.count < 1_000 {
      text += steps[shown].description
      shown += 1
    }
    if shown == steps.count { return text }
    return steps[max(shown, steps.count - 8)...].reduce(into: text + "…") { $0 += $1.description }
  }
}

extension DocumentPath.Step: CustomStringConvertible {
  /// The step as text; a name with special characters is in brackets and quotation marks, a long one is shortened.
  package var description: String {
    switch self {
    case .element(let index): "[\(index)]"
    case .member(let name):
      // Only the part that is shown is examined: a name can be as long as a document.
      name.isEmpty || !name.unicodeScalars.prefix(String.excerptLength).allSatisfy(\.isPlain)
        ? "[\(name.excerpt.jsonLiteral)]" : ".\(name.excerpt)"
    }
  }
}

extension String {
  /// The text in quotation marks, as JSON writes it.
  package var jsonLiteral: String {
    var literal: [UInt8] = []
    literal.appendJSON(self)
    return String(decoding: literal, as: UTF8.self)
  }
}

extension Unicode.Scalar {
  fileprivate var isPlain: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9", "-", "_", "$": true
    default: !isASCII && properties.isAlphabetic
    }
  }
}
