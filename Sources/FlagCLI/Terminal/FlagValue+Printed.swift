import FlagDomain
import FlagJSON

extension FlagValue {
  /// Creates an object from plain values.
  init(_ members: [String: any FlagAttribute]) { self = .object(members.mapValues(\.attributeValue)) }
}

extension FlagValue {
  /// The value in one line of JSON, as the tool prints it.
  var printed: String {
    do throws(FlagError) {
      return try plain.jsonString(depth: .max)
    } catch {
      preconditionFailure("plain values can be written, however deep they are: \(error)")
    }
  }

  /// The value as JSON can hold it, every number in its shortest form: whole ones have no fraction, infinite ones are
  /// null.
  private var plain: FlagValue {
    switch self {
    case .double(let number) where !number.isFinite: .null
    case .double(let number) where number.magnitude <= 0x1p53: Int128(exactly: number).map(FlagValue.int) ?? self
    case .array(let elements): .array(elements.map(\.plain))
    case .object(let fields): .object(fields.mapValues(\.plain))
    default: self
    }
  }
}
