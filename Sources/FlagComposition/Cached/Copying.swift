import FlagDomain

/// A value that can be copied into separate storage.
///
/// Equal values may share storage. Then all threads that read them update one reference count, and contend for it.
private protocol Copying {
  var copied: Self { get }
}

/// Returns a value that shares no storage with another, if its type can be copied that way.
///
/// Any other value is returned unchanged.
func ownCopy<Value>(of value: Value) -> Value {
  guard !_isPOD(Value.self), let copying = value as? any Copying, let copied = copying.copied as? Value else {
    return value
  }
  return copied
}

extension String: Copying {
  /// The same string in separate storage, or inline if it is short.
  var copied: String { String(decoding: utf8, as: UTF8.self) }
}

extension Optional: Copying {
  fileprivate var copied: Self { map { ownCopy(of: $0) } }
}

extension Array: Copying {
  fileprivate var copied: Self { map { ownCopy(of: $0) } }
}

extension Set: Copying {
  fileprivate var copied: Self { Set(map { ownCopy(of: $0) }) }
}

extension Dictionary: Copying {
  fileprivate var copied: Self {
    Dictionary(map { (ownCopy(of: $0.key), ownCopy(of: $0.value)) }) { _, last in last }
  }
}

extension FlagValue: Copying {
  var copied: FlagValue {
    switch self {
    case .null, .bool, .int, .double: self
    case .string(let text): .string(text.copied)
    case .array(let elements): .array(elements.copied)
    case .object(let fields): .object(fields.copied)
    }
  }
}

// A copy of fields begins as what they are: one that is not copied below is shared, and none is lost.

extension FlagUser: Copying {
  fileprivate var copied: FlagUser {
    var fields = fields
    fields.id = id.copied
    fields.countryCode = countryCode.copied
    fields.segments = segments.copied
    fields.attributes = attributes.copied
    fields.contexts = contexts.copied
    return FlagUser(fields)
  }
}

extension EvaluationContext {
  var copied: EvaluationContext {
    var context = self
    context.user = user.copied
    context.attributes = attributes.copied
    context.anonymousID = anonymousID.copied
    return context
  }
}
