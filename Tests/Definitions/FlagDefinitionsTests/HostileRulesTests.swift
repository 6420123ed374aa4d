import FlagDomain
import FlagReview
import Foundation
import HostileDocuments
import TestSupport
import Testing

@testable import FlagDefinitions

@Suite("Random documents that ask for as much as they can", .computing)
struct HostileRulesTests {
  private static let count = Effort.rounds(
    Effort.isOptimized ? 20_000 : 50, thorough: Effort.isOptimized ? 20_000 : 300, long: 100_000)
  /// Code without optimization takes up to a hundred times as long, and so gets a hundredth of the budget.
  private static let budget =
    Effort.isOptimized
    ? Evaluation.Budget.evaluating
    : Evaluation.Budget(steps: RuleLimits.steps / 100, bytes: RuleLimits.bytes / 100)
  /// The format's limit of processor time for documents below 1 MB; code without optimization gets more.
  private static let time = Duration.seconds(Effort.isOptimized ? 1 : 30)
  /// The process runs other tests, too, unless it runs optimized ones.
  private static let memory = (Effort.isOptimized ? 100 : 1_000) << 20

  @Test("Each is loaded, checked, evaluated and explained on a small stack within its time and memory")
  func holds() async throws {
    let findings = try await SmallStack.run {
      HostileRun(seed: 0, time: Self.time, memory: Self.memory).findings(of: Self.count, Self.use)
    }
    for problem in findings.problems { Issue.record("\(problem)") }
    #expect(findings.longest > .zero)
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
      if flag.fixedAnswer == nil { _ = try flag.ruledAnswer(in: context, at: { 0 }, budget: budget) }
    } catch {
      #expect((1..<3_000).contains(error.message.utf8.count))
    }
  }
}
