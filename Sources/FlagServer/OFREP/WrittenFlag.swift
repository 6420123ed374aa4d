import FlagDefinitions
import FlagDomain
import FlagJSON

/// A flag's answers as OFREP writes them, all but the reason written ahead.
///
/// An answer is an opening with the key, a variant with its value, a reason, and a closing with the metadata.
struct WrittenFlag: Sendable {
  let key: String
  private let opening: [UInt8]
  private let variants: [(name: String, bytes: [UInt8])]
  private let closing: [UInt8]

  init(_ flag: ListedFlag) {
    key = flag.key
    opening = Array("{\"key\":".utf8) + FlagValue.string(flag.key).written + Array(",".utf8)
    variants = flag.variants.map { name, value in
      // Strict clients read 10 as an integer, and refuse it where the flag's other values are floats.
      let value = flag.isFractional ? value.fractional : value
      return (
        name,
        Array("\"value\":".utf8) + value.written + Array(",\"variant\":".utf8) + FlagValue.string(name).written
      )
    }
    closing =
      flag.metadata.isEmpty
      ? Array("\"}".utf8) : Array("\",\"metadata\":".utf8) + FlagValue.object(flag.metadata).written + Array("}".utf8)
  }
}

extension WrittenFlag {
  /// Writes an answer.
  ///
  /// Where the code's default is to be used there is no value; the variant is empty then, since there are clients that
  /// expect one in each answer.
  func write(_ answer: FlagAnswer, to bytes: inout [UInt8]) {
    bytes += opening
    if let variant = answer.variant, let written = variants.first(where: { $0.name.isIdentical(to: variant) }) {
      bytes += written.bytes
    } else {
      bytes += "\"variant\":\"\"".utf8
    }
    bytes += ",\"reason\":\"".utf8
    bytes += answer.reason.ofrep.utf8
    bytes += closing
  }

  static func write(_ error: FlagError, key: String?, to bytes: inout [UInt8]) {
    var fields: [String: FlagValue] = [
      "errorCode": .string(error.code.rawValue), "errorDetails": .string(error.message),
    ]
    if let key { fields["key"] = .string(key) }
    if !error.metadata.isEmpty { fields["metadata"] = .object(error.metadata) }
    bytes += FlagValue.object(fields).written
  }
}

extension ResolutionReason {
  /// The reason as OFREP has it, which knows five: a default after a rule without a say is none of the others.
  fileprivate var ofrep: String {
    switch self {
    case .static, .targetingMatch, .split, .disabled: rawValue
    default: ResolutionReason.unknown.rawValue
    }
  }
}

extension FlagValue {
  /// A number as one with a fraction, where that is the same number; any other value as it is.
  fileprivate var fractional: FlagValue {
    if case .int(let number) = self, let double = Double(exactly: number) { .double(double) } else { self }
  }
}
