import FlagDefinitions
import FlagDomain

struct EvaluationResult: Equatable {
  var value: FlagValue
  var variant: String?
  var reason: ResolutionReason
  var errorCode: FlagError.Code?
  var metadata: [String: FlagValue] = [:]
}

extension EvaluationResult {
  /// Creates the result of an error, whose value is the caller's default.
  init(_ error: FlagError, fallback: FlagValue) {
    self.init(value: fallback, reason: .error, errorCode: error.code, metadata: error.metadata)
  }

  init(_ question: EvaluationCase, from document: any DefinitionDocument, at seconds: Int64) {
    do throws(FlagError) {
      guard let answer = try document.evaluate(question.flagKey, in: question.context, at: seconds) else {
        throw FlagError(.flagNotFound, "no flag is named \(question.flagKey.excerpt)")
      }
      self.init(answer, question)
    } catch {
      self.init(error, fallback: question.fallback)
    }
  }

  private init(_ answer: FlagAnswer, _ question: EvaluationCase) {
    guard let value = answer.value else {
      self.init(value: question.fallback, reason: answer.reason, metadata: answer.metadata)
      return
    }
    if let value = question.type.value(value) {
      self.init(value: value, variant: answer.variant, reason: answer.reason, metadata: answer.metadata)
    } else {
      self.init(value: question.fallback, reason: .error, errorCode: .typeMismatch, metadata: answer.metadata)
    }
  }

  var line: String {
    let fields: [(String, FlagValue?)] = [
      ("value", value), ("variant", variant.map(FlagValue.string)), ("reason", .string(reason.rawValue)),
      ("errorCode", errorCode.map { .string($0.rawValue) }),
      ("metadata", metadata.isEmpty ? nil : .object(metadata)),
    ]
    return "{" + fields.map { "\"\($0)\":\(($1 ?? .null).printed)" }.joined(separator: ",") + "}"
  }
}

extension EvaluationCase.ValueType {
  /// Returns a value converted to this type, or nil if it has another type.
  fileprivate func value(_ value: FlagValue) -> FlagValue? {
    switch (self, value) {
    case (.boolean, .bool), (.string, .string), (.integer, .int), (.float, .int), (.float, .double): value
    case (.object, .object), (.object, .array): value
    case (.integer, .double): value.wholeNumber.map(FlagValue.int)
    default: nil
    }
  }
}
