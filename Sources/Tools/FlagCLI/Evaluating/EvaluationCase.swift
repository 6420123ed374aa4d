import FlagDefinitions
import FlagDomain
import FlagJSON

/// An evaluation request: a flag, its type, and a context.
struct EvaluationCase {
  enum ValueType: String, CaseIterable {
    case boolean, string, integer, float, object
  }

  let flagKey: String
  let type: ValueType
  let fallback: FlagValue
  let context: EvaluationContext

  /// An error in a line, with the parts that could be parsed.
  struct Failure: Error {
    let error: FlagError
    var fallback = FlagValue.null
  }
}

extension EvaluationCase {
  /// Parses a case from a line.
  init(line: [UInt8]) throws(Failure) {
    let value = try mapError(try FlagValue(json: line)) { (error: JSONError) in
      Failure(error: FlagError(.parseError, "\(error) at byte \(error.offset + 1)"))
    }
    fallback = value.fields?["default"] ?? .null
    do throws(FlagError) {
      guard let fields = value.fields else {
        throw FlagError(.parseError, "expected an object, found \(value.typeName)")
      }
      flagKey = try fields.string("flagKey")
      type = try ValueType(named: try fields.string("type"))
      context = try EvaluationContext(json: fields["context"])
    } catch {
      throw Failure(error: error, fallback: fallback)
    }
  }
}

extension EvaluationCase.ValueType {
  fileprivate init(named name: String) throws(FlagError) {
    guard let type = Self(rawValue: name) else {
      let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw FlagError(.parseError, "type: expected one of \(names), found \(name.quoted)")
    }
    self = type
  }
}

extension EvaluationContext {
  /// Parses a context; a missing one is empty.
  init(json value: FlagValue?) throws(FlagError) {
    switch value {
    case nil, .null: self.init()
    case .object(let attributes): self.init(attributes: attributes)
    case let value?: throw FlagError(.invalidContext, "context: expected an object, found \(value.typeName)")
    }
  }
}

extension [String: FlagValue] {
  fileprivate func string(_ name: String) throws(FlagError) -> String {
    guard let text = self[name]?.text else {
      throw FlagError(.parseError, "\(name): expected a string, found \(self[name]?.typeName ?? "nothing")")
    }
    return text
  }
}

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
