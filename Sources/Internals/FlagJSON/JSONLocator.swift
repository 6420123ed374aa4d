/// Finds the values of many paths in one pass over a text.
///
/// The paths are merged into a tree of their steps. The text is traversed once, and only into those arrays and objects
/// that a path leads through; so the time is proportional to the text and to the steps of all paths, and shared steps
/// count once.
package struct JSONLocator {
  /// A step that some paths share, and the position of its value.
  private struct Branch {
    /// The index of the parent branch, which comes before this one in the array of branches.
    let outer: Int
    var inner: [DocumentPath.Step: Int] = [:]
    /// The offset of the value; that of the last member, if several have one name.
    var offset = 0
    /// The number of the visit to this value, and of the visit to its container.
    var visit = 0
    var outerVisit = 0
  }

  private var branches = [Branch(outer: 0)]
  /// The branches of the paths' nodes, so that a node of several paths is looked up once.
  private var known: [ObjectIdentifier: Int] = [:]
  private var visits = 0

  /// Returns the offsets of values, in the order of the paths as given.
  ///
  /// - Parameters:
  ///   - paths: The paths of the values. If several members have one name, the last one is meant.
  ///   - text: The text. After a syntax error, no values are found.
  /// - Returns: For each path the offset of its value, or of the innermost enclosing value that exists.
  package static func offsets(of paths: [DocumentPath], in text: some Collection<UInt8>) -> [Int] {
    var locator = JSONLocator()
    for path in paths { locator.insert(path) }
    do throws(JSONError) {
      try JSONReader.read(text, depth: .max) { reader throws(JSONError) in try locator.visit(&reader) }
    } catch {
      // Values that were found before the error count.
    }
    let offsets = locator.foundOffsets
    return paths.map { path in
      path.last.flatMap { locator.known[ObjectIdentifier($0)] }.map { offsets[$0] } ?? offsets[0]
    }
  }

  private mutating func insert(_ path: DocumentPath) {
    var (branch, missing): (Int, [DocumentPath.Node]) = (0, [])
    for node in path.nodes {
      if let index = known[ObjectIdentifier(node)] {
        branch = index
        break
      }
      missing.append(node)
    }
    for node in missing.reversed() {
      branch = innerBranch(of: branch, node.step)
      known[ObjectIdentifier(node)] = branch
    }
  }

  private mutating func innerBranch(of branch: Int, _ step: DocumentPath.Step) -> Int {
    if let inner = branches[branch].inner[step] { return inner }
    branches[branch].inner[step] = branches.count
    branches.append(Branch(outer: branch))
    return branches.count - 1
  }

  /// The offset of each branch's value, or of the innermost enclosing value that was found.
  ///
  /// A value counts only if it was found in the last visit to its container: of members with one name, the last counts.
  private var foundOffsets: [Int] {
    var offsets = [branches[0].offset]
    var isFound = [true]
    for branch in branches.dropFirst() {
      let isInside = isFound[branch.outer] && branch.outerVisit == branches[branch.outer].visit
      isFound.append(isInside)
      offsets.append(isInside ? branch.offset : offsets[branch.outer])
    }
    return offsets
  }

  private mutating func visit(_ reader: inout JSONReader) throws(JSONError) {
    var levels: [(branch: Int, kind: JSONKind)] = []
    if let level = try enter(0, around: 0, &reader) { levels.append(level) }
    while let level = levels.last {
      guard let step = try reader.nextStep(in: level.kind) else {
        levels.removeLast()
        continue
      }
      guard let inner = branches[level.branch].inner[step] else { continue }
      if let level = try enter(inner, around: level.branch, &reader) { levels.append(level) }
    }
  }

  /// Records the position of a branch's value, and enters the value if paths lead through it.
  private mutating func enter(
    _ branch: Int, around outer: Int, _ reader: inout JSONReader
  ) throws(JSONError) -> (branch: Int, kind: JSONKind)? {
    visits += 1
    branches[branch].offset = reader.offset
    branches[branch].outerVisit = branches[outer].visit
    branches[branch].visit = visits
    guard !branches[branch].inner.isEmpty, let kind = reader.kind else { return nil }
    switch kind {
    case .object: try reader.enterObject()
    case .array: try reader.enterArray()
    case .null, .boolean, .number, .string: return nil
    }
    return (branch, kind)
  }
}

extension JSONReader {
  /// Moves to the next member or element, and returns the step to it; nil at the end.
  fileprivate mutating func nextStep(in kind: JSONKind) throws(JSONError) -> DocumentPath.Step? {
    guard kind == .object else { return try nextElement() ? path.last?.step : nil }
    do throws(JSONError) {
      return try nextMember().map(DocumentPath.Step.member)
    } catch {
      guard error.code == .range else { throw error }
      return path.last?.step  // a name that cannot be represented, as it is in the text
    }
  }
}

extension JSONSourceLocation {
  /// Returns the locations of values, in the order of the paths as given, in two passes over the text.
  ///
  /// If a path leads to nothing, its location is that of the innermost enclosing value that exists.
  package static func locations(of paths: [DocumentPath], in text: some Collection<UInt8>) -> [JSONSourceLocation] {
    locations(of: JSONLocator.offsets(of: paths, in: text), in: text)
  }
}
