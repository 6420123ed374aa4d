import FlagDomain

/// The reason for a variation, as LaunchDarkly names it.
enum Reason {
  case off
  case `fallthrough`(isInExperiment: Bool)
  case targetMatch
  case ruleMatch(Int, id: String?)
  case prerequisiteFailed(String)
  case error(String)

  /// The reason's members by names in the metadata of answers: `reason` is LaunchDarkly's `kind`, the others have its
  /// names.
  var metadata: [String: FlagValue] {
    switch self {
    case .off: ["reason": "OFF"]
    case .fallthrough(false): ["reason": "FALLTHROUGH"]
    case .fallthrough(true): ["reason": "FALLTHROUGH", Self.inExperiment: true]
    case .targetMatch: ["reason": "TARGET_MATCH"]
    case .ruleMatch(let index, nil): ["reason": "RULE_MATCH", "ruleIndex": .int(Int128(index))]
    case .ruleMatch(let index, let id?):
      ["reason": "RULE_MATCH", "ruleIndex": .int(Int128(index)), "ruleId": .string(id)]
    case .prerequisiteFailed(let key): ["reason": "PREREQUISITE_FAILED", "prerequisiteKey": .string(key)]
    case .error(let kind): ["reason": "ERROR", "errorKind": .string(kind)]
    }
  }

  static let inExperiment = "inExperiment"
  static let bigSegmentsStatus = "bigSegmentsStatus"

  // The metadata that do not depend on a flag, made once.
  static let offMetadata = Reason.off.metadata
  static let fallthroughMetadata = Reason.fallthrough(isInExperiment: false).metadata
  static let experimentMetadata = Reason.fallthrough(isInExperiment: true).metadata
  static let targetMetadata = Reason.targetMatch.metadata
}
