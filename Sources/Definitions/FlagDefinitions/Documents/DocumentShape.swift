import FlagDomain
import FlagJSON

/// A format, as far as the names of a document's members tell it.
package enum DocumentShape: String, Sendable {
  case flagdFlags = "in-house"
  case growthBookFeatures = "growthbook"
  case launchDarklyFlags = "launchdarkly"

  /// Returns an error if a document that has no usable flag looks like one of another format; nil if it does not.
  ///
  /// It is meant for documents that a reader finds nothing in, since it reads the text again.
  package func mismatch(in text: some Collection<UInt8>) -> UnlocatedDiagnostic? {
    let members: [String: FlagValue]
    do throws(JSONError) {
      members = try FlagValue(json: KubernetesResource.document(in: text) ?? Array(text)).fields ?? [:]
    } catch {
      return nil  // The reader of the document finds the error, too.
    }
    if self == .flagdFlags, let refusal = KubernetesResource.refusal(of: members) { return refusal }
    guard let found = Self(of: members), found != self else { return nil }
    return UnlocatedDiagnostic(
      path: .root, message: "expected a document in the format \(rawValue), found one in the format \(found.rawValue)")
  }

  /// Recognizes the format that each flag of a document seems to have.
  private init?(of members: [String: FlagValue]) {
    if members["features"]?.fields != nil {
      self = .growthBookFeatures
    } else if members["flagValues"]?.fields != nil {
      self = .launchDarklyFlags
    } else {
      let shapes = Set((members["flags"]?.fields ?? [:]).values.map { Self(ofFlag: $0.fields ?? [:]) })
      guard shapes.count == 1, let shape = shapes.first ?? nil else { return nil }
      self = shape
    }
  }

  private init?(ofFlag members: [String: FlagValue]) {
    if members["variants"] != nil || members["defaultVariant"] != nil {
      self = .flagdFlags
    } else if members["variations"] != nil || members["fallthrough"] != nil {
      self = .launchDarklyFlags
    } else {
      return nil
    }
  }
}
