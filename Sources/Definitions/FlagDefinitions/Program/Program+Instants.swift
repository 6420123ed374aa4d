import FlagDomain

extension Program.Tables {
  /// Returns the times at which the result of a comparison of the time with numbers changes, in seconds since
  /// 1970-01-01 UTC; nil if the instruction is not such a comparison.
  func instants(of comparison: Instruction) -> [Int64]? {
    guard comparison.kind == .operation, comparison.name.comparesNumbers, 2...3 ~= comparison.count else { return nil }
    var operands: [TimeOperand] = []
    for part in comparison.parts {
      guard let operand = operand(instructions[part]) else { return nil }
      operands.append(operand)
    }
    var instants: [Int64] = []
    for (left, right) in zip(operands, operands.dropFirst()) {
      switch (left, right) {
      case (.time, .number(let number)): instants += comparison.name.instants(of: number, isTimeFirst: true)
      case (.number(let number), .time): instants += comparison.name.instants(of: number, isTimeFirst: false)
      case (.time, .time), (.number, .number): break
      }
    }
    return instants
  }

  private func operand(_ part: Instruction) -> TimeOperand? {
    switch part.kind {
    case .variable where part.count == 0 && variables[Int(part.payload)].isTime: .time
    case .constant:
      switch constants[Int(part.payload)] {
      case .int(let number): .number(Double(number))
      case .double(let number, _) where number.isFinite: .number(number)
      default: nil
      }
    default: nil
    }
  }
}

private enum TimeOperand {
  case time
  case number(Double)
}

extension Operator {
  fileprivate var comparesNumbers: Bool {
    switch self {
    case .equal, .notEqual, .identical, .notIdentical, .less, .lessOrEqual, .greater, .greaterOrEqual: true
    default: false
    }
  }

  /// Returns the times at which the result of a comparison of the time with a number differs from a second before.
  fileprivate func instants(of number: Double, isTimeFirst: Bool) -> [Int64] {
    let isLess = self == .less || self == .lessOrEqual
    guard isLess || self == .greater || self == .greaterOrEqual else {
      return number == number.rounded() ? [number, number + 1].compactMap(Int64.init(exactly:)) : []
    }
    // The result changes either when the time reaches the number, or when it passes it.
    let isReached = (self == .less || self == .greater) == (isLess == isTimeFirst)
    return [isReached ? number.rounded(.up) : number.rounded(.down) + 1].compactMap(Int64.init(exactly:))
  }
}

/// A search for the rules in which the result of a comparison with the time changes between two moments.
///
/// Parts that several rules share are searched once.
struct TimePassage {
  private let tables: Program.Tables
  private let passed: ClosedRange<Int64>
  private var known: [UInt32: Bool] = [:]

  /// Creates a search for changes after a moment, up to and including a later one; nil if no instant is among them.
  init?(of program: Program, after start: Int64, through end: Int64) {
    guard start < end, program.tables.instants.contains(where: { start < $0 && $0 <= end }) else { return nil }
    tables = program.tables
    passed = start + 1...end
  }

  mutating func changes(_ instruction: Instruction) -> Bool {
    guard instruction.traits.contains(.readsTime), instruction.count > 0 else { return false }
    if let known = known[instruction.first] { return known }
    let isPassed =
      tables.instants(of: instruction)?.contains(where: passed.contains)
      ?? instruction.parts.contains { changes(tables.instructions[$0]) }
    known[instruction.first] = isPassed
    return isPassed
  }
}
