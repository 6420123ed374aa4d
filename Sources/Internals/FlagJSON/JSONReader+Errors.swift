extension JSONReader {
  /// The path of the current member or element; that of the array or object, before the first one.
  package var path: DocumentPath {
    mutating get {
      guard let level = levels.last, levels.count <= Self.maximumPathLength else { return containerPath }
      return step(of: level).map(containerPath.appending) ?? containerPath
    }
  }

  /// The maximum number of steps of a path: more than values have levels, since deeper text is refused or skipped.
  private static let maximumPathLength = 2 * maximumDepth

  /// The path of the innermost array or object that the reader is in.
  ///
  /// Beyond the maximum length, it is the path of the innermost array or object that has one. Paths of outer ones are
  /// cached while the reader is in them, so each of their steps is created once.
  var containerPath: DocumentPath {
    mutating get {
      while knownPaths.count < min(levels.count, Self.maximumPathLength) {
        let outer = knownPaths.count - 1
        knownPaths.append(outer < 0 ? .root : step(of: levels[outer]).map(knownPaths[outer].appending) ?? .root)
      }
      return knownPaths.last ?? .root
    }
  }

  private func step(of level: Level) -> DocumentPath.Step? {
    switch level {
    case .array(let index): index < 0 ? nil : .element(index)
    case .object(let name): name < 0 ? nil : .member(self.name(at: name))
    }
  }

  /// Returns a syntax error for the finding at the current offset, after which nothing more can be read.
  mutating func error(expected: String) -> JSONError {
    syntaxError(at: offset, path: path, expected: expected, found: text.found(at: offset))
  }

  /// Returns the error for anything but a comma between two members or elements.
  mutating func separatorError(before closer: UInt8) -> JSONError {
    let expected = "\",\" or \"\(Character(Unicode.Scalar(closer)))\""
    return syntaxError(at: offset, path: containerPath, expected: expected, found: text.found(at: offset))
  }

  mutating func trailingComma(at comma: Int, before closer: UInt8) -> JSONError {
    let part = closer == UInt8(ascii: "}") ? "member" : "element"
    return syntaxError(at: comma, path: containerPath, expected: "another \(part)", found: "a trailing comma")
  }

  /// The error for an array or object at the current offset that is nested too deeply.
  var tooDeep: JSONError {
    mutating get {
      JSONError(
        code: .range, offset: offset, path: path, expected: "at most \(depth) levels of arrays and objects",
        found: "more")
    }
  }

  private mutating func syntaxError(at offset: Int, path: DocumentPath, expected: String, found: String) -> JSONError {
    let error = JSONError(code: .syntax, offset: offset, path: path, expected: expected, found: found)
    brokenBy = error
    return error
  }

  /// Throws the earlier syntax error, if there was one.
  func checkText() throws(JSONError) {
    if let brokenBy { throw brokenBy }
  }
}
