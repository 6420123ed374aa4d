/// An attribute as written.
package struct Attribute: Sendable {
  /// The name without a module name.
  package let name: String
  /// The indices of the attribute's tokens.
  package let indices: Range<Int>
  package let arguments: [Argument]
}

/// An argument of an attribute or of a call.
package struct Argument: Sendable {
  package let label: String?
  /// The indices of the value's tokens.
  package let value: Range<Int>

  package init(label: String?, value: Range<Int>) {
    self.label = label
    self.value = value
  }
}

extension Attribute {
  /// The first argument without a label, or nil.
  package var unlabeled: Argument? { arguments.first { $0.label == nil } }

  package subscript(label: String) -> Argument? { arguments.first { $0.label == label } }
}

extension SourceText {
  /// Returns the attribute whose at sign is at an index.
  package func attribute(at start: Int, before end: Int) -> Attribute {
    var index = start
    var name = ""
    repeat {
      name = index + 1 < end ? tokens[index + 1].text : ""
      index = min(index + 2, end)
    } while index < end && tokens[index].text == "."
    index = indexAfterGenericArguments(at: index, before: end) ?? index
    let hasArguments = index < end && tokens[index].text == "("
    let arguments = hasArguments ? arguments(in: inside(index)) : []
    if hasArguments { index = self.index(after: index) }
    return Attribute(name: name, indices: start..<index, arguments: arguments)
  }

  /// Returns the arguments between parentheses.
  package func arguments(in indices: Range<Int>) -> [Argument] {
    elements(in: indices).map { element in
      let first = element.lowerBound
      let isLabeled = element.count > 1 && tokens[first].kind == .word && tokens[first + 1].text == ":"
      return Argument(label: isLabeled ? tokens[first].text : nil, value: element.dropFirst(isLabeled ? 2 : 0))
    }
  }
}
