extension PatternProgram {
  /// Returns whether the pattern is found anywhere in a text; nil if that takes more steps than there are.
  ///
  /// Programs of up to some sixty instructions are searched without allocating.
  func matches(_ text: String, within steps: inout Int) -> Bool? {
    let count = instructions.count
    // The pointers are used on this thread, and only while the closures run. An instruction is in a list at most once,
    // since `reach` passes over those of this place: no list holds more than `count`. The last instruction is `found`,
    // so that there is one after each of the others.
    return unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 4 * count) { memory in
      unsafe instructions.withUnsafeBufferPointer { instructions in
        unsafe classes.withUnsafeBufferPointer { classes in
          var search = unsafe PatternSearch(instructions, classes, memory)
          return search.run(text.unicodeScalars, self, &steps)
        }
      }
    }
  }
}

/// A search of a program in a text: the instructions that apply at each place.
@safe
private struct PatternSearch {
  private let instructions: UnsafeBufferPointer<PatternProgram.Instruction>
  private let classes: UnsafeBufferPointer<ScalarClass>
  /// The last place at which each instruction was reached, from 1.
  private let reached: UnsafeMutableBufferPointer<UInt32>
  private var place: UInt32 = 1
  /// The instructions to follow at this place, and those that wait for a scalar.
  private let waiting: UnsafeMutableBufferPointer<UInt32>
  private var waitingCount = 0
  private let consuming: UnsafeMutableBufferPointer<UInt32>
  private var consumingCount = 0
  /// The instructions that the next place begins with.
  private let following: UnsafeMutableBufferPointer<UInt32>
  private var followingCount = 0

  init(
    _ instructions: UnsafeBufferPointer<PatternProgram.Instruction>, _ classes: UnsafeBufferPointer<ScalarClass>,
    _ memory: UnsafeMutableBufferPointer<UInt32>
  ) {
    unsafe self.instructions = instructions
    unsafe self.classes = classes
    unsafe memory.initialize(repeating: 0)
    let count = instructions.count
    unsafe reached = UnsafeMutableBufferPointer(rebasing: memory[0..<count])
    unsafe waiting = UnsafeMutableBufferPointer(rebasing: memory[count..<2 * count])
    unsafe consuming = UnsafeMutableBufferPointer(rebasing: memory[2 * count..<3 * count])
    unsafe following = UnsafeMutableBufferPointer(rebasing: memory[3 * count..<4 * count])
  }

  /// Returns whether a program is found; nil if that takes too many steps.
  mutating func run(_ text: String.UnicodeScalarView, _ program: PatternProgram, _ steps: inout Int) -> Bool? {
    var scalars = text.makeIterator()
    var previous: Unicode.Scalar?
    while true {
      let next = scalars.next()
      let isStart = previous == nil || !program.isAnchored
      if followingCount == 0 {
        guard isStart else { return false }
        // Most places of most texts: no match has begun, and none begins.
        if let first = program.firstScalars, next.map({ $0.isASCII && !first.contains($0.value) }) ?? true {
          guard next != nil else { return false }
          previous = next
          steps -= 1
          guard steps >= 0 else { return nil }
          continue
        }
      }
      if expand(fromStart: isStart, after: previous, before: next, &steps) { return true }
      guard steps >= 0 else { return nil }
      guard let next else { return false }
      consume(next)
      previous = next
    }
  }

  /// Follows forks, jumps and assertions of this place, and returns whether the end is among them.
  private mutating func expand(
    fromStart: Bool, after previous: Unicode.Scalar?, before next: Unicode.Scalar?, _ steps: inout Int
  ) -> Bool {
    advancePlace()
    consumingCount = 0
    waitingCount = 0
    if fromStart { reach(0) }
    for index in 0..<followingCount { unsafe reach(following[index]) }
    while waitingCount > 0 {
      waitingCount -= 1
      steps -= 1
      let index = unsafe waiting[waitingCount]
      switch unsafe instructions[Int(index)] {
      case .scalar, .element:
        unsafe consuming[consumingCount] = index
        consumingCount += 1
      case .assertion(let assertion): if assertion.holds(after: previous, before: next) { reach(index + 1) }
      case .fork(let other):
        reach(UInt32(other))
        reach(index + 1)
      case .jump(let other): reach(UInt32(other))
      case .found: return true
      }
    }
    steps -= consumingCount
    return false
  }

  /// Adds an instruction, if it has not been reached at this place.
  private mutating func reach(_ index: UInt32) {
    guard unsafe reached[Int(index)] != place else { return }
    unsafe reached[Int(index)] = place
    unsafe waiting[waitingCount] = index
    waitingCount += 1
  }

  private mutating func advancePlace() {
    if place == .max { unsafe reached.update(repeating: 0) }
    place = place == .max ? 1 : place + 1
  }

  /// Keeps the instructions that match a scalar.
  private mutating func consume(_ scalar: Unicode.Scalar) {
    followingCount = 0
    for position in 0..<consumingCount {
      let index = unsafe consuming[position]
      let isMatch =
        switch unsafe instructions[Int(index)] {
        case .scalar(let other): other == scalar
        case .element(let element): unsafe classes[Int(element)].contains(scalar)
        default: false
        }
      guard isMatch else { continue }
      unsafe following[followingCount] = index + 1
      followingCount += 1
    }
  }
}
