package import FlagDomain

/// An order of parts that refer to each other by name, in which each comes after those that it refers to.
///
/// It is Tarjan's algorithm ("Depth-first search and linear graph algorithms", 1972), without recursion, because chains
/// of references can be as long as a document.
package struct ReferenceOrder {
  /// The names in order: each part comes after the parts that it refers to.
  package private(set) var names: [String] = []
  /// The names of parts that refer to themselves, directly or through others.
  package private(set) var circular: Set<String> = []

  private let references: [String: [String]]
  /// The order in which each part was reached, and the earliest part on the current path that it refers back to.
  private var reached: [String: (number: Int, earliest: Int)] = [:]
  /// The stack of parts that were reached, and may still turn out to refer to themselves.
  private var open: [String] = []
  private var isOpen: Set<String> = []

  /// Orders parts by the names that each refers to.
  package init(_ references: [String: [String]]) {
    self.references = references
    for name in references.keys where reached[name] == nil { visit(name) }
  }

  /// Orders shared rules, so that each is compiled after those that it refers to.
  package init(ofEvaluators evaluators: [String: FlagValue]) {
    self.init(evaluators.mapValues { $0.references.filter { evaluators.member($0) != nil } })
  }

  private mutating func visit(_ first: String) {
    var path: [(name: String, next: Int)] = [(first, 0)]
    enter(first)
    while let (name, next) = path.last {
      let references = references[name] ?? []
      if next < references.count {
        path[path.count - 1].next += 1
        let reference = references[next]
        if reached[reference] == nil {
          enter(reference)
          path.append((reference, 0))
        } else if isOpen.contains(reference) {
          if reference == name { circular.insert(name) }
          note(reached[reference]?.number, of: name)
        }
      } else {
        path.removeLast()
        if let outer = path.last { note(reached[name]?.earliest, of: outer.name) }
        leave(name)
      }
    }
  }

  private mutating func enter(_ name: String) {
    reached[name] = (reached.count, reached.count)
    open.append(name)
    isOpen.insert(name)
  }

  private mutating func note(_ number: Int?, of name: String) {
    guard let number, let (own, earliest) = reached[name] else { return }
    reached[name] = (own, min(earliest, number))
  }

  /// Leaves a part; if it does not refer back to an earlier one, it and the parts above it on the stack are done.
  private mutating func leave(_ name: String) {
    guard let (number, earliest) = reached[name], number == earliest, let start = open.lastIndex(of: name) else {
      return
    }
    let done = Array(open[start...])  // a copy, so that the array has one owner and is cut in its place
    if done.count > 1 { circular.formUnion(done) }
    names += done.reversed()
    for name in done { isOpen.remove(name) }
    open.removeSubrange(start...)
  }
}

extension FlagValue {
  /// The names of shared rules at the places where a rule can be; an object with several members is a plain value.
  package var references: [String] {
    var names: [String] = []
    walk { value in
      guard let members = value.fields else { return value.parts }
      guard members.count == 1, let (name, argument) = members.first else { return [] }
      guard name == "$ref", let reference = argument.text else { return [argument] }
      names.append(reference)
      return []
    }
    return names
  }
}
