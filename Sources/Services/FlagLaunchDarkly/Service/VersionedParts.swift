import FlagDefinitions
import FlagDomain
import FlagJSON

/// The parts of a document that a stream keeps up to date, each with its version.
///
/// A `put` sets all parts, a `patch` or a `delete` one of them, unless it is known in that version or a later one. What
/// comes before the first `put` counts only if it is newer than what that brings.
struct VersionedParts {
  /// The names of the document's members; empty for parts that are the members themselves.
  let sections: [String]
  private var parts: [String: Section] = [:]
  /// Whether a `put` has come, so that the parts are a document.
  private(set) var isComplete = false

  init(sections: [String]) { self.sections = sections }

  /// An event that cannot be read.
  struct Malformed: Error {}

  /// The parts of one section, in the order in which they came.
  fileprivate struct Section {
    var names = StringTable()
    var parts: [Part] = []

    /// Sets a part; returns false for one that is known in its version or a later one.
    mutating func set(_ part: Part, named name: String) -> Bool {
      let number = names.insert(name)
      if number == parts.count {
        parts.append(part)
      } else {
        guard part.version > parts[number].version else { return false }
        parts[number] = part
      }
      return true
    }
  }

  fileprivate struct Part {
    var version: Int128
    /// The part's text; nil for a deleted one.
    var text: ArraySlice<UInt8>?
  }

  /// Replaces all parts by those of a document.
  mutating func put(_ document: [UInt8]) throws(Malformed) {
    var new: [String: Section] = [:]
    do throws(JSONError) {
      try JSONReader.read(document) { json throws(JSONError) in
        json.maximumDuplicates = 0
        if sections.isEmpty {
          new[""] = try Self.section(of: &json, in: document)
        } else {
          try json.enterObject()
          while let name = try json.nextMember() {
            if sections.contains(name), json.kind == .object { new[name] = try Self.section(of: &json, in: document) }
          }
        }
        try json.finish()
      }
    } catch {
      throw Malformed()
    }
    if !isComplete { for (name, section) in parts { new[name, default: Section()].add(section) } }
    (parts, isComplete) = (new, true)
  }

  /// Sets a part, or deletes it if there is no text; returns whether that changes it.
  mutating func set(_ name: String, of section: String, version: Int128, _ text: [UInt8]?) -> Bool {
    parts[section, default: Section()].set(Part(version: version, text: text?[...]), named: name)
  }

  /// The document that the parts make; nil before the first `put`.
  var text: [UInt8]? {
    guard isComplete else { return nil }
    if sections.isEmpty { return parts["", default: Section()].text }
    var text: [UInt8] = []
    for section in sections {
      text += text.isEmpty ? [UInt8(ascii: "{")] : [UInt8(ascii: ",")]
      text += FlagValue.string(section).text + [UInt8(ascii: ":")] + parts[section, default: Section()].text
    }
    return text + [UInt8(ascii: "}")]
  }

  private static func section(of json: inout JSONReader, in document: [UInt8]) throws(JSONError) -> Section {
    var section = Section()
    try json.enterObject()
    while let name = try json.nextMember() {
      let start = json.offset
      let version = try json.readValue().fields?["version"]?.whole ?? 0
      let number = section.names.insert(name)
      let part = Part(version: version, text: document[start..<json.offset])
      if number == section.parts.count { section.parts.append(part) } else { section.parts[number] = part }
    }
    return section
  }
}

extension VersionedParts.Section {
  /// Adds parts that are newer than those that are here.
  fileprivate mutating func add(_ other: Self) {
    for (number, part) in other.parts.enumerated() { _ = set(part, named: other.names[number]) }
  }

  fileprivate var text: [UInt8] {
    var text = [UInt8(ascii: "{")]
    for (number, part) in parts.enumerated() {
      guard let part = part.text else { continue }
      if text.count > 1 { text.append(UInt8(ascii: ",")) }
      text += FlagValue.string(names[number]).text + [UInt8(ascii: ":")] + part
    }
    return text + [UInt8(ascii: "}")]
  }
}

extension FlagValue {
  /// The whole number, or nil.
  var whole: Int128? {
    switch self {
    case .int(let number): number
    case .double(let number, _): Int64(exactly: number).map { Int128($0) }
    case .null, .bool, .string, .array, .object: nil
    }
  }

  /// The value as JSON text; it is written from a text that was read, so that it can be.
  fileprivate var text: [UInt8] { Array(description.utf8) }
}
