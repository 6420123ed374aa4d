import FlagDomain
import Foundation
import TestSupport
import Testing

@testable import FlagDefinitions

@Suite("Random documents that ask for as much as they can", .oneAtATime)
struct HostileRulesTests {
  private static let count = Effort.rounds(Build.isOptimized ? 20_000 : 2_000, long: 100_000)
  /// Code without optimization takes up to a hundred times as long, and so gets a hundredth of the budget.
  private static let budget =
    Build.isOptimized
    ? Evaluation.Budget.evaluating
    : Evaluation.Budget(steps: RuleLimits.steps / 100, bytes: RuleLimits.bytes / 100)
  /// What the format promises for documents below 1 MB, by the processor's time; code without optimization gets more.
  private static let time = Duration.seconds(Build.isOptimized ? 1 : 30)
  /// The process runs other tests, too, unless it runs optimized ones.
  private static let memory = (Build.isOptimized ? 100 : 1_000) << 20

  @Test("Each is loaded, checked, evaluated and explained on a small stack within its time and memory")
  func holds() async throws {
    try await SmallStack.run {
      var rules = HostileRules(random: SeededGenerator(seed: 0))
      let context = rules.context()
      for number in 0..<Self.count {
        let text = "\(rules.document())"
        let beginning = text.prefix(2_000)
        let memory = Memory.resident()
        Memory.forgetPeak()
        let time = try processorTime {
          try Self.use(Data(text.utf8), context, isFull: number.isMultiple(of: 10))
        }
        #expect(text.utf8.count < 1_000_000, "document \(number)")
        #expect(time < Self.time, "document \(number): \(beginning)")
        let growth = Memory.peak() - memory
        #expect(growth < Self.memory, "document \(number): \(beginning)")
      }
    }
  }

  @Test("They use every operator")
  func coversOperators() {
    #expect(HostileRules.operators == Set(Operator.allCases.map(\.name)))
  }

  private static func use(_ data: Data, _ context: EvaluationContext, isFull: Bool) throws {
    let document = try FlagDocument(parsing: data)
    for key in document.keys { use(key, of: document, context, isFull: isFull) }
    if isFull { _ = FlagDocument.diagnostics(in: data) }
  }

  private static func use(_ key: String, of document: FlagDocument, _ context: EvaluationContext, isFull: Bool) {
    do throws(FlagError) {
      guard let flag = try document.flag(key) else { return }
      if isFull {
        var explanation = FlagExplanation(key: key)
        defer { #expect(explanation.steps.count <= 1) }
        try flag.explain(in: context, at: 0, budget: budget, in: &explanation)
      }
      _ = try flag.evaluate(in: context, at: { 0 }, budget: budget)
    } catch {
      #expect((1..<3_000).contains(error.message.utf8.count))
    }
  }
}

/// The memory of the process; 0 where the system does not tell.
private enum Memory {
  /// Returns the bytes that are in memory.
  static func resident() -> Int { kilobytes("VmRSS:") * 1024 }

  /// Returns the most bytes that were in memory since the peak was forgotten.
  static func peak() -> Int { kilobytes("VmHWM:") * 1024 }

  /// Takes what is in memory now for the peak.
  static func forgetPeak() {
    FileHandle(forWritingAtPath: "/proc/self/clear_refs")?.write(Data("5".utf8))
  }

  private static func kilobytes(_ name: String) -> Int {
    guard let data = FileManager.default.contents(atPath: "/proc/self/status") else { return 0 }
    let line = String(decoding: data, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0
  }
}
