import FlagDomain
import FlagJSON

/// A merger of several documents' texts into one equivalent document.
///
/// The text of a flag is copied verbatim if that preserves its meaning. If the documents' metadata differ, each flag
/// gets a copy of its own document's. A shared rule is renamed if another document uses its name for another rule, so
/// rules still refer only to shared rules of their own document.
struct DocumentMerger {
  /// The keys, compared by code units, and the text of the flag for each of them.
  private var keys = StringTable()
  private var flags: [[UInt8]] = []
  private var evaluators: [String: FlagValue] = [:]

  /// Merges documents that can be served; if two flags have the same key, the later one counts.
  static func merge(_ texts: [[UInt8]]) throws(FlagDocumentError) -> [UInt8] {
    let parts = try texts.map { text throws(FlagDocumentError) in
      do throws(JSONError) {
        return try DocumentOutline(of: text)
      } catch {
        throw FlagDocumentError(diagnostics: [UnlocatedDiagnostic(error)].located(in: text))
      }
    }
    let shared = parts.first?.metadataOrNone ?? .null
    let sharesMetadata = parts.allSatisfy { $0.metadataOrNone.isIdentical(to: shared) }
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
      for flag in part.flags { merger.add(flag.key, Array(part.text[flag.range]), metadata, renaming) }
    }
    return merger.text(metadata: sharesMetadata ? shared : .null)
  }

  /// Throws if copying the metadata to each flag exceeds the maximum size of a document.
  private static func checkSize(of parts: [DocumentOutline]) throws(FlagDocumentError) {
    let size = parts.reduce(0.0) { size, part in
      size + Double(part.text.count) + Double(part.flags.count) * Double(part.metadataOrNone.jsonSize)
    }
    guard size > Double(RuleLimits.documentBytes) else { return }
    let message = "expected documents of one metadata, or merged ones of at most \(RuleLimits.documentBytes) bytes"
    throw FlagDocumentError(diagnostics: [UnlocatedDiagnostic(path: .root, message: message)].located(in: []))
  }

  /// Adds shared rules unchanged, and returns their new names by their old ones.
  private mutating func addNames(of added: [String: FlagValue]) -> [String: String] {
    var names: [String: String] = [:]
    for (name, rule) in added.inOrder {
      var newName = name
      var number = 1
      // A rule that refers to others may have another meaning despite the same text: it counts as another rule.
      while let index = evaluators.index(forKey: newName),
        !evaluators.keys[index].isIdentical(to: newName) || !evaluators.values[index].isIdentical(to: rule)
          || !rule.references.isEmpty
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

  /// Returns a flag with its document's metadata and the new names; nil if it is unchanged, or cannot be represented.
  private func rewritten(_ text: [UInt8], _ metadata: [String: FlagValue], _ renaming: Renaming) -> [UInt8]? {
    guard !metadata.isEmpty || !evaluators.isEmpty else { return nil }
    do {
      guard case .object(var fields) = try FlagValue(json: text) else { return nil }
      let renamed = fields["targeting"].flatMap(renaming.apply)
      if let renamed { fields["targeting"] = renamed }
      // Metadata that is not an object stays as it is, so that the reader reports it.
      let own = fields["metadata"] ?? .object([:])
      if !metadata.isEmpty, let own = own.fields {
        fields["metadata"] = .object(metadata.merging(own) { _, own in own })
      } else if renamed == nil {
        return nil
      }
      return FlagValue.object(fields).written
    } catch {
      // A flag that cannot be represented as a value is malformed, which is reported when the merged document is read.
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

extension DocumentOutline {
  fileprivate var metadataOrNone: FlagValue { metadata ?? .object([:]) }

  /// The document's metadata as a reader returns it: the default for its flags.
  fileprivate var metadataOfFlags: [String: FlagValue] {
    var diagnostics: [UnlocatedDiagnostic] = []
    return metadataOrNone.metadata(at: .root, &diagnostics)
  }
}

/// The names that the shared rules of one document have in the merged one.
private struct Renaming {
  let names: [String: String]
  let all: Set<String>

  /// Returns a rule with the new names, or nil if none changes.
  ///
  /// A reference to a rule that its own document does not have stays unresolved.
  func apply(to rule: FlagValue) -> FlagValue? {
    switch rule {
    case .array(let elements):
      let renamed = elements.map { apply(to: $0) }
      guard renamed.contains(where: { $0 != nil }) else { return nil }
      return .array(zip(renamed, elements).map { $0 ?? $1 })
    case .object(let members):
      // An object with several members is a plain value.
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
