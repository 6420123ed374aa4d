package import FlagDomain
package import FlagJSON

/// The parts of a document, found in one pass without reading its flags.
///
/// The last one counts if several members have the same name.
package struct DocumentOutline {
  package private(set) var members: [(name: String, offset: Int)] = []
  package private(set) var flags: [Flag] = []
  package private(set) var evaluators: [String: FlagValue] = [:]
  /// The metadata, or nil if there is none, or it cannot be represented.
  package private(set) var metadata: FlagValue?
  /// The document, at its place if it is inside a resource of Kubernetes.
  let text: [UInt8]

  package struct Flag {
    package let key: String
    /// The offsets of its value.
    package let range: Range<Int>
  }

  package init(of text: some Collection<UInt8>) throws(JSONError) {
    let text = KubernetesResource.document(in: text) ?? Array(text)
    self.text = text
    try JSONReader.read(text) { json throws(JSONError) in try read(&json) }
  }

  private mutating func read(_ json: inout JSONReader) throws(JSONError) {
    guard json.kind == .object else { return }
    try json.enterObject()
    while let name = try json.nextName() {
      members.append((name, json.offset))
      switch name {
      case "flags":
        flags = []
        guard json.kind == .object else { continue }
        try json.enterObject()
        while let key = try json.nextName() { flags.append(Flag(key: key, range: try json.skipValue())) }
      case "$evaluators": evaluators = try json.nextValue()?.fields ?? [:]
      case "metadata": metadata = try json.nextValue()
      default: break
      }
    }
    try json.finish()
  }

  /// Returns the value of a flag's entry, or nil if it cannot be represented.
  package func value(of flag: Flag) -> FlagValue? {
    do throws(JSONError) {
      return try FlagValue(json: text[flag.range])
    } catch {
      return nil
    }
  }
}
