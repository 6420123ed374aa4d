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
    var parts: [Part] = []
    for text in texts {
      do throws(JSONError) {
        parts.append(try JSONReader.read(text) { json throws(JSONError) in try Part(&json) })
      } catch {
        throw FlagDocumentError(diagnostics: [UnlocatedDiagnostic(error)].located(in: text))
      }
    }
    let shared = parts.first?.metadata
    let sharesMetadata = parts.allSatisfy { $0.metadata.isIdentical(to: shared ?? .null) }
    var merger = DocumentMerger()
    let names = parts.map { merger.addNames(of: $0.evaluators) }
    let renamings = names.map { Renaming(names: $0, all: Set(merger.evaluators.keys)) }
    for ((text, part), renaming) in zip(zip(texts, parts), renamings) {
      for (name, rule) in part.evaluators {
        guard let newName = renaming.names[name], let renamed = renaming.apply(to: rule) else { continue }
        merger.evaluators[newName] = renamed
      }
      for (key, range) in part.flags {
        merger.add(key, text[range], metadata: sharesMetadata ? nil : part.metadata, renaming)
      }
    }
    return merger.text(metadata: sharesMetadata ? shared : nil)
  }

  /// Adds shared rules as they are, and returns the names that they have here by those that they had.
  private mutating func addNames(of added: [String: FlagValue]) -> [String: String] {
    var names: [String: String] = [:]
    for (name, rule) in added.sorted(by: { $0.key < $1.key }) {
      var newName = name
      var number = 1
      // A rule that uses others may mean something else under the same text: then it is another rule, too.
      while let known = evaluators[newName], !known.isIdentical(to: rule) || known.hasReference {
        number += 1
        newName = "\(name) (\(number))"
      }
      names[name] = newName
      evaluators[newName] = rule
    }
    return names
  }

  private mutating func add(
    _ key: String, _ text: ArraySlice<UInt8>, metadata: FlagValue?, _ renaming: Renaming
  ) {
    let flag = rewritten(Array(text), metadata: metadata, renaming) ?? Array(text)
    let number = keys.insert(key)
    if number == flags.count { flags.append(flag) } else { flags[number] = flag }
  }

  /// Returns a flag with its document's metadata and the new names; nil where it stays as it is, or cannot be held.
  private func rewritten(_ text: [UInt8], metadata: FlagValue?, _ renaming: Renaming) -> [UInt8]? {
    guard metadata != nil || !evaluators.isEmpty else { return nil }
    do {
      guard case .object(var fields) = try FlagValue(json: text) else { return nil }
      var isChanged = false
      if let targeting = fields["targeting"], let renamed = renaming.apply(to: targeting) {
        fields["targeting"] = renamed
        isChanged = true
      }
      // What is no object is left for the reader to name.
      if case .object(let shared)? = metadata, !shared.isEmpty {
        switch fields["metadata"] {
        case nil:
          fields["metadata"] = .object(shared)
          isChanged = true
        case .object(let own)?:
          fields["metadata"] = .object(shared.merging(own) { _, own in own })
          isChanged = true
        default: break
        }
      }
      return isChanged ? try FlagValue.object(fields).json(depth: .max) : nil
    } catch {
      // A flag that no value can hold is malformed, and says so where the merged document is read.
      return nil
    }
  }

  private func text(metadata: FlagValue?) -> [UInt8] {
    var text = Array("{\n  \"flags\": {".utf8)
    for (number, flag) in flags.enumerated() {
      text += Array((number == 0 ? "\n    " : ",\n    ").utf8) + Self.json(.string(keys[number])) + Array(": ".utf8)
      text += flag
    }
    text += Array("\n  }".utf8)
    if !evaluators.isEmpty { text += Array(",\n  \"$evaluators\": ".utf8) + Self.json(.object(evaluators)) }
    if let metadata, metadata != .object([:]) { text += Array(",\n  \"metadata\": ".utf8) + Self.json(metadata) }
    return text + Array("\n}\n".utf8)
  }

  /// Writes a value that was read from JSON, which therefore can be written.
  private static func json(_ value: FlagValue) -> [UInt8] {
    do throws(FlagError) {
      return try value.json(depth: .max)
    } catch {
      preconditionFailure("a value that was read can be written: \(error)")
    }
  }
}

/// What a document has, and where its flags are in its text.
private struct Part {
  var flags: [(key: String, range: Range<Int>)] = []
  var metadata = FlagValue.object([:])
  var evaluators: [String: FlagValue] = [:]

  init(_ json: inout JSONReader) throws(JSONError) {
    try json.enterObject()
    while let name = try Self.nextName(&json) {
      switch name {
      case "flags":
        // Of several members of one name the last one counts.
        flags = []
        guard json.kind == .object else { continue }
        try json.enterObject()
        while let key = try Self.nextName(&json) { flags.append((key, try json.skipValue())) }
      case "metadata": metadata = try Self.value(&json) ?? .object([:])
      case "$evaluators":
        evaluators = [:]
        if case .object(let found)? = try Self.value(&json) { evaluators = found }
      default: break
      }
    }
    try json.finish()
  }

  /// Moves to the next member whose name is text, as the reader of documents does.
  private static func nextName(_ json: inout JSONReader) throws(JSONError) -> String? {
    while true {
      do throws(JSONError) {
        return try json.nextMember()
      } catch {
        guard error.code == .range else { throw error }
      }
    }
  }

  private static func value(_ json: inout JSONReader) throws(JSONError) -> FlagValue? {
    do throws(JSONError) {
      return try json.readValue()
    } catch {
      guard error.code == .range else { throw error }
      return nil
    }
  }
}

/// The names that the shared rules of one document have in the merged one.
private struct Renaming {
  let names: [String: String]
  /// The names of the shared rules of all documents.
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
      if let newName = names[reference] { return newName == reference ? nil : .object([name: .string(newName)]) }
      return all.contains(reference) ? .object([name: .string("\(reference) (of another document)")]) : nil
    case .null, .bool, .int, .double, .string: return nil
    }
  }
}

extension FlagValue {
  /// Whether a shared rule uses others.
  fileprivate var hasReference: Bool {
    switch self {
    case .array(let elements): elements.contains(where: \.hasReference)
    case .object(let members):
      members.count == 1 && members.contains { $0.key == "$ref" || $0.value.hasReference }
    case .null, .bool, .int, .double, .string: false
    }
  }
}
