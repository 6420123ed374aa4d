import FlagDomain
import FlagJSON

/// A `FeatureFlag` resource of Kubernetes as JSON, which has a document inside.
package enum KubernetesResource {
  /// The path of the document.
  static let path = DocumentPath.root.appending("spec").appending("flagSpec")

  /// Returns the document inside, at its place between white space and as long as the text; nil if the text is no such
  /// resource.
  package static func document(in text: some Collection<UInt8>) -> [UInt8]? {
    guard let range = range(in: text) else { return nil }
    return text.enumerated().map { offset, byte in
      range.contains(offset) || byte == UInt8(ascii: "\n") ? byte : UInt8(ascii: " ")
    }
  }

  /// Returns a message with paths in the document, not in the resource around it.
  static func inside(_ message: String) -> String {
    message.hasPrefix("\(path).") ? "$\(message.dropFirst("\(path)".count))" : message
  }

  /// Returns an error if the members are those of a resource of Kubernetes without a document inside; else nil.
  static func refusal(of members: [String: FlagValue]) -> UnlocatedDiagnostic? {
    guard members["apiVersion"] != nil, let kind = members["kind"]?.text else { return nil }
    let advice = kind.hasSuffix("List") ? ": take one of its items, such as by jq .items[0]" : ""
    return UnlocatedDiagnostic(
      path: .root,
      message: "expected a resource of the kind FeatureFlag with the document at spec.flagSpec, found one of the kind "
        + "\(kind.quoted) without it\(advice)")
  }

  private static func range(in text: some Collection<UInt8>) -> Range<Int>? {
    do throws(JSONError) {
      return try JSONReader.read(text) { json throws(JSONError) in
        guard json.kind == .object else { return nil }
        var range: Range<Int>?
        try json.enterObject()
        while let name = try json.nextName() {
          if name == "flags" { return nil }
          guard name == "spec", json.kind == .object else { continue }
          range = nil
          try json.enterObject()
          while let name = try json.nextName() {
            if name == "flagSpec", json.kind == .object { range = try json.skipValue() }
          }
        }
        try json.finish()
        return range
      }
    } catch {
      return nil  // The reader of the document finds the error, too.
    }
  }
}
