import FlagDomain
import FlagJSON

/// Puts the texts of several documents into one that means the same as all of them.
///
/// Flags are copied as they are written, wherever that means the same. Where documents have other metadata, each flag
/// is given that of its own. A shared rule whose name another document has given to another rule gets a new name, and
/// so a rule keeps finding those of its own document alone.
struct DocumentMerger {
  /// The keys, compared by their code units, and beside them the flags as they are written.
  private var keys = StringTable()
  private var flags: [[UInt8]] = []
  private var evaluators: [String: FlagValue] = [:]
}

extension DocumentMerger {
  /// Merges documents that can be served; of two flags with one key the later one counts.
  static func merge(_ texts: [[UInt8]]) throws(FlagDocumentError) -> [UInt8] {
    let parts = try texts.map { text throws(FlagDocumentError) in try Part(of: text) }
    let shared = parts.first?.metadata ?? .null
    let sharesMetadata = parts.allSatisfy { $0.metadata.isIdentical(to: shared) }
    if !sharesMetadata { try checkSize(of: parts) }
    var merger = DocumentMerger()
    let names = parts.map { merger.addNames(of: $0.evaluators) }
    let all = Set(merger.evaluators.keys)
    for (part, names) in zip(parts, names) {
      let renaming = Renaming(names: names, all: all)
      for (name, rule) in part.evaluators {
        if let newName = names[name], let renamed = renaming.apply(to: rule) { merger.evaluators[newName] = renamed }
      }
      let metadata = sharesMetadata ? [:] : part.metadataOfFlags
      for (key, range) in part.flags { merger.add(key, Array(part.text[range]), metadata, renaming) }
    }
    return merger.text(metadata: sharesMetadata ? shared : .null)
  }

  /// Throws if the metadata that is copied to each flag makes more text than a document may have.
  private static func checkSize(of parts: [Part]) throws(FlagDocumentError) {
    let size = parts.reduce(0.0) { size, part in
      size + Double(part.text.count) + Double(part.flags.count) * Double(part.metadata.jsonSize)
    }
    guard size > Double(RuleLimits.documentBytes) else { return }
    let message = "expected documents of one metadata, or merged ones of at most \(RuleLimits.documentBytes) bytes"
    throw FlagDocumentError(diagnostics: [UnlocatedDiagnostic(path: .root, message: message)].located(in: []))
  }

  /// Adds shared rules as they are, and returns the names that they have here by those that they had.
  private mutating func addNames(of added: [String: FlagValue]) -> [String: String] {
    var names: [String: String] = [:]
    for (name, rule) in added.sorted(by: { $0.key < $1.key }) {
      var newName = name
      var number = 1
      // A rule that uses others may mean something else under the same text: then it is another rule, too.
      while let index = evaluators.index(forKey: newName),
        !evaluators.keys[index].isIdentical(to: newName) || !evaluators.values[index].isIdentical(to: rule)
          || rule.hasReferences
      {
        number += 1
        newName = "\(name) (\(number))"
      }
      names[name] = newName
      evaluators[newName] = rule
    }
    return names
  }

  private mutating func add(_ key: String, _ text: [UInt8], _ metadata: [String: FlagValue], _ renaming: Renaming) {
    let flag = rewritten(text, metadata, renaming) ?? text
    let number = keys.insert(key)
    if number == flags.count { flags.append(flag) } else { flags[number] = flag }
  }

  /// Returns a flag with its document's metadata and the new names; nil where it stays as it is, or cannot be held.
  private func rewritten(_ text: [UInt8], _ metadata: [String: FlagValue], _ renaming: Renaming) -> [UInt8]? {
    guard !metadata.isEmpty || !evaluators.isEmpty else { return nil }
    do {
      guard case .object(var fields) = try FlagValue(json: text) else { return nil }
      let renamed = fields["targeting"].flatMap(renaming.apply)
      if let renamed { fields["targeting"] = renamed }
      // What is no object is left for the reader to name.
      let own = fields["metadata"] ?? .object([:])
      if !metadata.isEmpty, let own = own.fields {
        fields["metadata"] = .object(metadata.merging(own) { _, own in own })
      } else if renamed == nil {
        return nil
      }
      return FlagValue.object(fields).written
    } catch {
      // A flag that no value can hold is malformed, and says so where the merged document is read.
      return nil
    }
  }

  private func text(metadata: FlagValue) -> [UInt8] {
    var text = Array("{\n  \"flags\": {".utf8)
    for (number, flag) in flags.enumerated() {
      text += (number == 0 ? "\n    " : ",\n    ").utf8
      text += FlagValue.string(keys[number]).written + Array(": ".utf8) + flag
    }
    text += Array("\n  }".utf8)
    if !evaluators.isEmpty { text += Array(",\n  \"$evaluators\": ".utf8) + FlagValue.object(evaluators).written }
    if metadata.fields?.isEmpty == false { text += Array(",\n  \"metadata\": ".utf8) + metadata.written }
    return text + Array("\n}\n".utf8)
  }
}

private struct Part {
  let text: [UInt8]
  let flags: [(key: String, range: Range<Int>)]
  let metadata: FlagValue
  let evaluators: [String: FlagValue]

  init(of text: [UInt8]) throws(FlagDocumentError) {
    self.text = text
    do throws(JSONError) {
      (flags, metadata, evaluators) = try JSONReader.read(text) { json throws(JSONError) in try Self.read(&json) }
    } catch {
      throw FlagDocumentError(diagnostics: [UnlocatedDiagnostic(error)].located(in: text))
    }
  }

  /// The metadata that a reader takes from the document, which flags without other metadata have.
  var metadataOfFlags: [String: FlagValue] {
    var diagnostics: [UnlocatedDiagnostic] = []
    return FlagMetadataShape.read(metadata, at: .root, diagnostics: &diagnostics)
  }

  /// Reads the document; of several members of one name the last one counts.
  private static func read(
    _ json: inout JSONReader
  ) throws(JSONError) -> ([(key: String, range: Range<Int>)], FlagValue, [String: FlagValue]) {
    var flags: [(key: String, range: Range<Int>)] = []
    var (metadata, evaluators) = (FlagValue.object([:]), [String: FlagValue]())
    try json.enterObject()
    while let name = try json.nextName() {
      switch name {
      case "flags":
        flags = []
        guard json.kind == .object else { continue }
        try json.enterObject()
        while let key = try json.nextName() { flags.append((key, try json.skipValue())) }
      case "metadata": metadata = try json.nextValue() ?? .object([:])
      case "$evaluators": evaluators = try json.nextValue()?.fields ?? [:]
      default: break
      }
    }
    try json.finish()
    return (flags, metadata, evaluators)
  }
}

/// The names that the shared rules of one document have in the merged one.
private struct Renaming {
  let names: [String: String]
  let all: Set<String>

  /// Returns a rule with the new names, or nil where none changes.
  ///
  /// Where a rule names what its own document does not have, it keeps naming nothing.
  func apply(to rule: FlagValue) -> FlagValue? {
    switch rule {
    case .array(let elements):
      let renamed = elements.map { apply(to: $0) }
      guard renamed.contains(where: { $0 != nil }) else { return nil }
      return .array(zip(renamed, elements).map { $0 ?? $1 })
    case .object(let members):
      // An object of several members is a plain value.
      guard members.count == 1, let (name, argument) = members.first else { return nil }
      guard name == "$ref", case .string(let reference) = argument else {
        return apply(to: argument).map { .object([name: $0]) }
      }
      if let index = names.index(forKey: reference), names.keys[index].isIdentical(to: reference) {
        let newName = names.values[index]
        return newName.isIdentical(to: reference) ? nil : .object([name: .string(newName)])
      }
      return all.contains(reference) ? .object([name: .string("\(reference) (of another document)")]) : nil
    case .null, .bool, .int, .double, .string: return nil
    }
  }
}
