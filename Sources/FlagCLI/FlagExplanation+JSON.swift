import FlagDomain
import FlagProviders

extension FlagExplanation {
  /// The explanation as JSON, of version 1.
  var json: FlagValue {
    [
      "version": 1,
      "key": .string(key),
      "value": answer?.value?.plain ?? .null,
      "variant": answer?.variant.map(FlagValue.string) ?? .null,
      "reason": .string((answer?.reason ?? .error).rawValue),
      "errorCode": error.map { .string($0.code.rawValue) } ?? .null,
      "errorMessage": error.map { .string($0.message) } ?? .null,
      "metadata": FlagValue.object(answer?.metadata ?? [:]).plain,
      "steps": .array(steps.map(\.json)),
    ]
  }
}

extension FlagExplanation.Step {
  fileprivate var json: FlagValue {
    [
      "rule": rule.plain,
      "value": value?.plain ?? .null,
      "bucket": bucket.map { ["number": .int(Int128($0.number)), "count": .int(Int128($0.count))] } ?? .null,
      "parts": .array(parts.map(\.json)),
    ]
  }
}
