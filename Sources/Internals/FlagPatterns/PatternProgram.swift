/// A pattern as instructions, of which a search follows all that apply at once (Thompson, 1968; Pike's machine).
struct PatternProgram: Sendable {
  /// An instruction; all but jumps and the end go on with the one behind them.
  enum Instruction: Sendable {
    case scalar(Unicode.Scalar)
    case element(UInt32)
    case assertion(PatternNode.Assertion)
    /// Goes on with another instruction as well.
    case fork(Int32)
    case jump(Int32)
    case found
  }

  private(set) var instructions: [Instruction] = []
  let classes: [ScalarClass]
  /// Whether the pattern is found at the start of a text or nowhere.
  private(set) var isAnchored = false
  /// The ASCII scalars with which it may begin; nil if it may be found without any.
  private(set) var firstScalars: ASCIISet?

  /// Compiles a pattern.
  init(_ node: PatternNode, classes: [ScalarClass]) throws(PatternError) {
    self.classes = classes
    try append(node)
    try emit(.found)
    if case .assertion(.textStart) = instructions[0] { isAnchored = true }
    firstScalars = scalarsAtStart()
  }

  private mutating func emit(_ instruction: Instruction, column: Int = 1) throws(PatternError) {
    guard instructions.count < Pattern.maximumSize else {
      throw PatternError(code: .size, column: column, message: "more than \(Pattern.maximumSize) instructions")
    }
    instructions.append(instruction)
  }

  private mutating func append(_ node: PatternNode, column: Int = 1) throws(PatternError) {
    switch node {
    case .scalar(let scalar): try emit(.scalar(scalar), column: column)
    case .element(let index): try emit(.element(UInt32(index)), column: column)
    case .assertion(let assertion): try emit(.assertion(assertion), column: column)
    case .sequence(let parts): for part in parts { try append(part, column: column) }
    case .alternatives(let parts): try appendAlternatives(parts, column: column)
    case .repetition(let part, let minimum, let maximum, let column):
      try appendRepetition(of: part, minimum, maximum, column: column)
    }
  }

  private mutating func appendAlternatives(_ parts: [PatternNode], column: Int) throws(PatternError) {
    var jumps: [Int] = []
    for part in parts.dropLast() {
      let fork = instructions.count
      try emit(.fork(0), column: column)
      try append(part, column: column)
      jumps.append(instructions.count)
      try emit(.jump(0), column: column)
      instructions[fork] = .fork(Int32(instructions.count))
    }
    if let last = parts.last { try append(last, column: column) }
    for jump in jumps { instructions[jump] = .jump(Int32(instructions.count)) }
  }

  private mutating func appendRepetition(
    of part: PatternNode, _ minimum: Int, _ maximum: Int?, column: Int
  ) throws(PatternError) {
    for _ in 0..<minimum {
      let start = instructions.count
      try append(part, column: column)
      // Nothing, however often, is nothing.
      if instructions.count == start { return }
    }
    let start = instructions.count
    guard let maximum else {
      try emit(.fork(0), column: column)
      try append(part, column: column)
      try emit(.jump(Int32(start)), column: column)
      instructions[start] = .fork(Int32(instructions.count))
      return
    }
    var forks: [Int] = []
    for _ in minimum..<maximum {
      forks.append(instructions.count)
      try emit(.fork(0), column: column)
      try append(part, column: column)
    }
    for fork in forks { instructions[fork] = .fork(Int32(instructions.count)) }
  }

  /// Returns the ASCII scalars with which a match may begin; nil if it may be empty.
  private func scalarsAtStart() -> ASCIISet? {
    var scalars = ASCIISet()
    var isSeen = [Bool](repeating: false, count: instructions.count)
    var waiting = [0]
    while let index = waiting.popLast() {
      guard !isSeen[index] else { continue }
      isSeen[index] = true
      switch instructions[index] {
      case .scalar(let scalar): if scalar.isASCII { scalars.insert(scalar.value) }
      case .element(let element): scalars.formUnion(classes[Int(element)].ascii)
      case .assertion: waiting.append(index + 1)
      case .fork(let other): waiting += [index + 1, Int(other)]
      case .jump(let other): waiting.append(Int(other))
      case .found: return nil
      }
    }
    return scalars
  }
}
