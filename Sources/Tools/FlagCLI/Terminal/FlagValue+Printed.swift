import FlagDomain
import FlagJSON
import FlagSupport

extension FlagValue {
  /// Creates an object from plain values.
  init(_ members: [String: any FlagAttribute]) { self = .object(members.mapValues(\.attributeValue)) }

  /// The value as one line of JSON for output, with JSON's escapes for characters that nobody sees.
  var printed: String {
    do throws(FlagError) {
      return try plain.jsonString(depth: .max).escapingHidden { scalar in
        UTF16.encode(scalar).map { unit in
          unit.map { "\\u" + String(0x10000 + Int($0), radix: 16).dropFirst() }.joined()
        } ?? ""
      }
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
