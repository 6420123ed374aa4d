import FlagDefinitions
import FlagDomain
import FlagJSON

/// The answers of a flag in OFREP's format, encoded ahead except for the reason.
///
/// An answer has an opening with the key, a variant with its value, a reason, and a closing with the metadata: those of
/// the flag, unless an answer has its own, as one of an experiment in a vendor's format.
struct WrittenFlag: Sendable {
  let key: String
  private let opening: [UInt8]
  private let variants: [(name: String, bytes: [UInt8])]
  private let metadata: [String: FlagValue]
  private let closing: [UInt8]

  init(_ flag: ListedFlag) {
    key = flag.key
    opening = Array("{\"key\":".utf8) + FlagValue.string(flag.key).written + Array(",".utf8)
    variants = flag.variants.map { name, value in
      // Strict clients parse 10 as an integer, and reject it if the flag's other values are floats.
      let value = flag.isFractional ? value.fractional : value
      return (
        name,
        Array("\"value\":".utf8) + value.written + Array(",\"variant\":".utf8) + FlagValue.string(name).written
      )
    }
    metadata = flag.metadata
    closing = Self.closing(with: metadata)
  }

  private static func closing(with metadata: [String: FlagValue]) -> [UInt8] {
    metadata.isEmpty
      ? Array("\"}".utf8) : Array("\",\"metadata\":".utf8) + FlagValue.object(metadata).written + Array("}".utf8)
  }

  /// Writes an answer.
  ///
  /// If the default in the code is to be used, there is no value; the variant is empty then, since some clients expect
  /// one in each answer.
  func write(_ answer: FlagAnswer, to bytes: inout [UInt8]) {
    bytes += opening
    if let variant = answer.variant, let written = variants.first(where: { $0.name.isIdentical(to: variant) }) {
      bytes += written.bytes
    } else {
      bytes += "\"variant\":\"\"".utf8
    }
    bytes += ",\"reason\":\"".utf8
    bytes += answer.reason.ofrep.utf8
    let own = answer.servedMetadata
    bytes += own == metadata ? closing : Self.closing(with: own)
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

extension FlagAnswer {
  /// The metadata, which say of an experiment that it is one, as those of the in-house format do.
  fileprivate var servedMetadata: [String: FlagValue] {
    guard isExperiment, metadata.member("experiment") != .bool(true) else { return metadata }
    return metadata.merging(["experiment": true]) { $1 }
  }
}

extension ResolutionReason {
  /// The reason as OFREP names it, which has five, and one more of OpenFeature's that no client may miss.
  ///
  /// It has none for the default after a rule without a result.
  fileprivate var ofrep: String {
    switch self {
    case .static, .targetingMatch, .split, .disabled, .stale: rawValue
    default: ResolutionReason.unknown.rawValue
    }
  }
}

extension FlagValue {
  /// The number written with a fraction, if its value stays the same; any other value as it is.
  fileprivate var fractional: FlagValue {
    if case .int(let number) = self, let double = Double(exactly: number) { .double(double) } else { self }
  }
}
