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
    if self == .flagdFlags, let refusal = KubernetesResource.refusal(of: text) { return refusal }
    guard let found = Self(of: KubernetesResource.document(in: text) ?? Array(text)), found != self else { return nil }
    return UnlocatedDiagnostic(
      path: .root, message: "expected a document in the format \(rawValue), found one in the format \(found.rawValue)")
  }

  /// Recognizes the format that each flag of a document seems to have; nil for text that is not JSON, too.
  private init?(of text: some Collection<UInt8>) {
    var found: Self?
    do throws(JSONError) {
      try JSONReader.read(text) { json throws(JSONError) in
        guard json.kind == .object else { return }
        try json.enterObject()
        while let name = try json.nextName() {
          switch (name, json.kind) {
          case ("features", .object): found = .growthBookFeatures
          case ("flagValues", .object): found = .launchDarklyFlags
          case ("flags", .object): found = try Self.ofFlags(&json)
          default: continue
          }
          return
        }
      }
    } catch {
      return nil
    }
    guard let found else { return nil }
    self = found
  }

  /// Returns the format that all flags of the next value seem to have.
  private static func ofFlags(_ json: inout JSONReader) throws(JSONError) -> Self? {
    var found: Self?
    try json.enterObject()
    while try json.nextName() != nil {
      guard case .object(let members)? = try json.nextValue() else { return nil }
      let shape: Self? =
        if members["variants"] != nil || members["defaultVariant"] != nil {
          .flagdFlags
        } else if members["variations"] != nil || members["fallthrough"] != nil {
          .launchDarklyFlags
        } else {
          nil
        }
      guard let shape, found == nil || found == shape else { return nil }
      found = shape
    }
    return found
  }
}
