import FlagJSON
import FlagDomain
import FlagDefinitions

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
    guard case .string(let text)? = self[name] else {
      throw FlagError(.parseError, "\(name): expected a string, found \(self[name]?.typeName ?? "nothing")")
    }
    return text
  }
}
