import FlagDefinitions
import FlagDomain

extension ExplanationReport {
  /// The report as JSON, of version 1.
  var json: FlagValue {
    let (answer, error) = (explanation.answer, explanation.error)
    return [
      "version": 1,
      "key": .string(explanation.key),
      "value": answer?.value ?? .null,
      "variant": answer?.variant.map(FlagValue.string) ?? .null,
      "reason": .string((answer?.reason ?? .error).rawValue),
      "errorCode": error.map { .string($0.code.rawValue) } ?? .null,
      "errorMessage": error.map { .string($0.message) } ?? .null,
      "isMissingTargetingKey": .bool(answer?.isMissingTargetingKey ?? false),
      "metadata": FlagValue.object(answer?.metadata ?? error?.metadata ?? [:]),
      "steps": .array(explanation.steps.map(\.json)),
      "omittedSteps": .int(Int128(explanation.omittedSteps)),
      "diagnostics": .array(diagnostics.map(\.json)),
    ]
  }
}

extension ExplanationReport.FileDiagnostic {
  fileprivate var json: FlagValue {
    [
      "file": .string(file),
      "line": .int(Int128(diagnostic.line)),
      "column": .int(Int128(diagnostic.column)),
      "severity": .string(diagnostic.severity.rawValue),
      "path": .string(diagnostic.path),
      "message": .string(diagnostic.message),
    ]
  }
}

extension FlagExplanation.Step {
  fileprivate var json: FlagValue {
    [
      "rule": rule,
      "value": value ?? .null,
      "bucket": bucket.map { ["number": .int(Int128($0.number)), "count": .int(Int128($0.count))] } ?? .null,
      "iteration": iteration.map { ["count": .int(Int128($0.count)), "held": .int(Int128($0.held))] } ?? .null,
      "parts": .array(parts.map(\.json)),
    ]
  }
}
