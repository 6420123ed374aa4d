import FlagDomain
import FlagProviders

/// The answer to a case.
struct EvaluationResult: Equatable {
  var value: FlagValue
  var variant: String?
  var reason: ResolutionReason
  var errorCode: FlagError.Code?
  var metadata: [String: FlagValue] = [:]
}

extension EvaluationResult {
  /// Creates the result of an error: the caller's default stands.
  init(_ error: FlagError, fallback: FlagValue) {
    self.init(value: fallback, reason: .error, errorCode: error.code)
  }

  /// Answers a case.
  init(_ question: EvaluationCase, from document: FlagDocument, at seconds: Int64) {
    do throws(FlagError) {
      guard let answer = try document.evaluate(question.flagKey, in: question.context, at: seconds) else {
        throw FlagError(.flagNotFound, "no flag is called \(question.flagKey)")
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
}

extension EvaluationResult: CustomStringConvertible {
  /// The result as JSON, on one line.
  var description: String {
    let fields: [(String, FlagValue?)] = [
      ("value", value.plain), ("variant", variant.map(FlagValue.string)), ("reason", .string(reason.rawValue)),
      ("errorCode", errorCode.map { .string($0.rawValue) }),
      ("metadata", metadata.isEmpty ? nil : FlagValue.object(metadata).plain),
    ]
    return "{" + fields.map { "\"\($0)\":\($1 ?? .null)" }.joined(separator: ",") + "}"
  }
}

extension EvaluationCase.ValueType {
  /// Returns a value as one of this type, or nil where it is of another.
  fileprivate func value(_ value: FlagValue) -> FlagValue? {
    switch (self, value) {
    case (.boolean, .bool), (.string, .string), (.integer, .int), (.float, .int), (.float, .double): value
    case (.object, .object), (.object, .array): value
    case (.integer, .double(let number)): Int128(exactly: number).map(FlagValue.int)
    default: nil
    }
  }
}

extension FlagValue {
  /// The value with every number in its shortest form: whole numbers have no fraction.
  var plain: FlagValue {
    switch self {
    case .double(let number) where number.magnitude <= 0x1p53: Int128(exactly: number).map(FlagValue.int) ?? self
    case .array(let elements): .array(elements.map(\.plain))
    case .object(let fields): .object(fields.mapValues(\.plain))
    default: self
    }
  }
}
