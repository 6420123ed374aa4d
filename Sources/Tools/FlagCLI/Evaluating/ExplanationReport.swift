import FlagDefinitions
import FlagDomain
import FlagSupport

/// The report of `explain`: the evaluation of a flag, and the diagnostics of its definition.
struct ExplanationReport {
  let explanation: FlagExplanation
  let diagnostics: [FileDiagnostic]
  /// Whether the format is a vendor's, whose reason is in the metadata.
  var isOfVendor = false
  /// The variants and their receivers in words; nil if one user is asked about.
  var receivers: String?

  struct FileDiagnostic {
    let file: String
    let diagnostic: DocumentDiagnostic
  }

  var text: String {
    var lines = ["flag: \(explanation.key.excerpt)"]
    if let receivers, explanation.error == nil { lines.append("who: \(receivers)") }
    lines += outcome
    if !explanation.steps.isEmpty { lines += ["rule:"] + explanation.steps.flatMap { $0.lines(indent: "  ") } }
    if explanation.omittedSteps > 0 { lines.append("  and \(explanation.omittedSteps) more steps") }
    if !diagnostics.isEmpty { lines += ["diagnostics:"] + diagnostics.map { "  \($0.file):\($0.diagnostic)" } }
    return lines.text
  }

  private var outcome: [String] {
    guard let answer = explanation.answer else {
      let metadata = explanation.error?.metadata ?? [:]
      return ["value: the code's default", "reason: ERROR", "error: \(explanation.error.map { "\($0)" } ?? "")"]
        + line(for: metadata)
    }
    return [
      "value: \(answer.value.map(\.printed) ?? "the code's default")",
      answer.variant.map { "variant: \($0)" },
      "reason: \(answer.reason)\(isOfVendor ? "" : ", \(why(answer))")",
      answer.isMissingTargetingKey
        ? "note: a rule needs the targeting key to choose a share, and the context has none"
        : nil,
    ].compactMap { $0 } + line(for: answer.metadata)
  }

  private func line(for metadata: [String: FlagValue]) -> [String] {
    metadata.isEmpty ? [] : ["metadata: \(FlagValue.object(metadata).printed)"]
  }

  private func why(_ answer: FlagAnswer) -> String {
    switch answer.reason {
    case .disabled: "the flag is disabled"
    case .static: "the flag has no rule, and so its default variant is served"
    case .targetingMatch: "the rule gave the name of the variant"
    case .default where explanation.steps.isEmpty: "the flag has neither a rule nor a default variant"
    case .default where answer.variant == nil: "the rule gave null, and the flag has no default variant"
    default: "the rule gave null, and so the default variant is served"
    }
  }
}

extension FlagExplanation.Step {
  fileprivate func lines(indent: String) -> [String] {
    let share = bucket.map { ": bucket \($0.number) of \($0.count)" } ?? ""
    let times = iteration.map { ": \($0.count.counted("element")), \($0.held) held" } ?? ""
    let outcome = value.map { " gave \($0.printed)" } ?? " failed"
    let note = letterCase.map { letters in
      "\(indent)  note: \(letters.left.quoted) and \(letters.right.quoted) differ in capital and small letters alone"
    }
    return ["\(indent)\(shortRule)\(share)\(times)\(outcome)"] + [note].compactMap(\.self)
      + parts.flatMap { $0.lines(indent: indent + "  ") }
  }

  /// The rule, or its operator alone if the parts below contain the rest.
  private var shortRule: String {
    let whole = rule.printed
    guard whole.count > 80, !parts.isEmpty, case .object(let fields) = rule, let name = fields.keys.first else {
      return whole
    }
    return "{\(FlagValue.string(name).printed):[...]}"
  }
}

// MARK: - JSON

extension ExplanationReport {
  var json: FlagValue {
    let (answer, error) = (explanation.answer, explanation.error)
    return FlagValue([
      "version": 1, "key": explanation.key, "value": answer?.value, "variant": answer?.variant,
      "reason": (answer?.reason ?? .error).rawValue, "errorCode": error?.code.rawValue, "errorMessage": error?.message,
      "isMissingTargetingKey": answer?.isMissingTargetingKey ?? false,
      "metadata": answer?.metadata ?? error?.metadata ?? [:], "steps": explanation.steps.map(\.json),
      "omittedSteps": explanation.omittedSteps, "diagnostics": diagnostics.map(\.json),
    ])
  }
}

extension ExplanationReport.FileDiagnostic {
  fileprivate var json: FlagValue {
    FlagValue([
      "file": file, "line": diagnostic.line, "column": diagnostic.column, "severity": diagnostic.severity.rawValue,
      "path": diagnostic.path, "message": diagnostic.message,
    ])
  }
}

extension FlagExplanation.Step {
  fileprivate var json: FlagValue {
    var members: [String: any FlagAttribute] = [
      "rule": rule, "value": value, "bucket": bucket.map { ["number": $0.number, "count": $0.count] },
      "iteration": iteration.map { ["count": $0.count, "held": $0.held] }, "parts": parts.map(\.json),
    ]
    if let letterCase { members["letterCase"] = [letterCase.left, letterCase.right] }
    return FlagValue(members)
  }
}
