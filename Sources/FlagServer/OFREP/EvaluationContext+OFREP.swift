import FlagDomain
import FlagJSON

extension EvaluationContext {
  /// Reads the body of a request for an evaluation: an object with the context.
  ///
  /// A context may lack a targeting key, as that of a visitor does; it is an error only of a flag that needs one.
  ///
  /// - Throws: A parse error where the body is no JSON, else `INVALID_CONTEXT`.
  init(ofrep body: [UInt8]) throws(FlagError) {
    guard case .object(let fields) = try FlagValue.reading(json: body) else {
      throw FlagError(.parseError, "expected an object with the member \"context\"")
    }
    guard case .object(let attributes)? = fields["context"] else {
      let found = fields["context"]?.typeName ?? "nothing"
      throw FlagError(.invalidContext, "context: expected an object, found \(found)")
    }
    switch attributes["targetingKey"] {
    case nil, .string: self.init(attributes: attributes)
    case let key?:
      throw FlagError(.invalidContext, "context.targetingKey: expected a string, found \(key.typeName)")
    }
  }
}
