import FlagDomain
import FlagJSON

extension FlagValue {
  /// Creates an object from plain values.
  init(_ members: [String: any FlagAttribute]) { self = .object(members.mapValues(\.attributeValue)) }
}

extension FlagValue {
  /// The value as one line of JSON for output.
  var printed: String {
    do throws(FlagError) {
      return try plain.jsonString(depth: .max)
    } catch {
      preconditionFailure("plain values can be written, however deep they are: \(error)")
    }
  }

  /// The value as JSON can represent it, with every number in its shortest form: whole numbers have no fraction, and
  /// infinite numbers are null.
  private var plain: FlagValue {
    switch self {
    case .double(let number, nil) where !number.isFinite: .null
    case .double(let number, nil) where number.magnitude <= 0x1p53: Int128(exactly: number).map(FlagValue.int) ?? self
    case .array(let elements): .array(elements.map(\.plain))
    case .object(let fields): .object(fields.mapValues(\.plain))
    default: self
    }
  }
}
