import FlagDomain
import FlagJSON

extension EvaluationContext {
  /// Parses the body of an evaluation request: an object with the context.
  ///
  /// A context may lack a targeting key, such as a visitor's; only flags that need one report an error.
  ///
  /// - Throws: A parse error if the body is not JSON, otherwise `INVALID_CONTEXT`.
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
