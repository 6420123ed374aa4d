import FlagDefinitions
import FlagDomain
import FlagJSON
import FlagSupport

/// Reads a document in one pass: compiles each flag and segment as it comes, and collects diagnostics.
struct LaunchDarklyReader {
  /// The numbers of the flags in the order in which their keys come first.
  private(set) var order: [Int] = []

  private var found = DiagnosticList(limit: RuleLimits.diagnostics)
  private var parts = PartReader()
  private let text: [UInt8]
  private let file: String?
  private var hasFlags = false
  /// The reason why the segments are malformed as a whole; nil if they are not.
  private var segmentsFailure: String?

  private init(_ text: [UInt8], file: String?) { (self.text, self.file) = (text, file) }

  var diagnostics: [UnlocatedDiagnostic] { found.kept }

  var definitions: Definitions { Definitions(flags: parts.flags, segments: parts.segments) }

  /// Reads a document; throws if it cannot be read as a whole.
  static func read(_ text: [UInt8], of file: String?) throws(FlagDocumentError) -> LaunchDarklyReader {
    var reader = LaunchDarklyReader(text, file: file)
    var problem = UnlocatedDiagnostic(path: .root, message: "expected an object with \"flags\", found none")
    if text.count > RuleLimits.documentBytes {
      let message = "expected a document of at most \(RuleLimits.documentBytes) bytes, found \(text.count)"
      problem = UnlocatedDiagnostic(path: .root, message: message)
    } else {
      do throws(JSONError) {
        try JSONReader.read(text) { json throws(JSONError) in try reader.readDocument(&json) }
        if reader.hasFlags, !reader.hasOnlyEmptyFlags { return reader }
        if let mismatch = DocumentShape.launchDarklyFlags.mismatch(in: text) {
          problem = mismatch
        } else if reader.hasFlags {
          return reader
        }
      } catch {
        problem = UnlocatedDiagnostic(error, reading: text)
      }
    }
    throw FlagDocumentError(diagnostics: [problem].located(in: text, of: file))
  }

  /// Whether there are flags, and none of them has a variation.
  private var hasOnlyEmptyFlags: Bool {
    !order.isEmpty
      && order.allSatisfy {
        if case .part(let flag)? = parts.flags.entries[$0] { flag.variations.isEmpty } else { true }
      }
  }

  private mutating func readDocument(_ json: inout JSONReader) throws(JSONError) {
    json.maximumDuplicates = 0
    guard json.kind == .object else { return try json.finish() }
    try json.enterObject()
    while let name = try nextName(of: &json) {
      switch name {
      case "flags":
        try readFlags(&json, in: name) { parts, value, key throws(PartReader.Problem) in
          try parts.flag(value, named: key)
        }
      case "flagValues": try readFlags(&json, in: name) { _, value, key in PartReader.flag(value, named: key) }
      case "segments": try readSegments(&json)
      default: break
      }
    }
    try json.finish()
    parts.flags.grow()
    parts.segments.grow()
    if let segmentsFailure {
      parts.segments.setMissing(.malformed(segmentsFailure), Fingerprint(of: Array(segmentsFailure.utf8)))
    }
    found.add(parts.notes + parts.circles())
  }

  private mutating func nextName(of json: inout JSONReader) throws(JSONError) -> String? {
    try json.nextName { found.add([UnlocatedDiagnostic($0)]) }
  }

  private mutating func readFlags(
    _ json: inout JSONReader, in section: String,
    _ compile: (inout PartReader, FlagValue, String) throws(PartReader.Problem) -> LaunchDarklyFlag?
  ) throws(JSONError) {
    guard try enter(&json, section) else { return }
    hasFlags = true
    while let key = try nextName(of: &json) {
      let start = json.offset
      var isForClients = true
      let entry = try entry(of: &json, at: [.member(section), .member(key)]) {
        parts, value throws(PartReader.Problem) in
        isForClients = PartReader.mayBeForClients(value)
        return try compile(&parts, value, key)
      }
      guard let entry else { continue }
      let number = parts.flags.names.insert(key)
      if case .malformed = entry, !isForClients {
        parts.flags.hidden.insert(number)
      } else {
        parts.flags.hidden.remove(number)
      }
      if number >= parts.flags.entries.count || parts.flags.entries[number] == nil {
        order.append(number)
      } else {
        found.add([.repeatedFlag(DocumentPath.root.appending(section).appending(key), offset: start)])
      }
      parts.flags.set(entry, print(of: start..<json.offset), at: number)
    }
  }

  private mutating func readSegments(_ json: inout JSONReader) throws(JSONError) {
    segmentsFailure = nil
    let problem = unexpectedKind(of: json, "segments")
    guard try enter(&json, "segments") else {
      segmentsFailure = problem.map(reason)
      return
    }
    while let key = try nextName(of: &json) {
      let start = json.offset
      let entry = try entry(of: &json, at: [.member("segments"), .member(key)]) {
        parts, value throws(PartReader.Problem) in
        try parts.segment(value, named: key)
      }
      guard let entry else { continue }
      parts.segments.set(entry, print(of: start..<json.offset), at: parts.segments.names.insert(key))
    }
  }

  /// Enters an object; returns false, and reports another value, which is skipped.
  private mutating func enter(_ json: inout JSONReader, _ section: String) throws(JSONError) -> Bool {
    guard json.kind == .object else {
      if let problem = unexpectedKind(of: json, section) { found.add([problem]) }
      return false
    }
    try json.enterObject()
    return true
  }

  /// Returns the problem of a section that is neither an object nor null.
  private func unexpectedKind(of json: borrowing JSONReader, _ section: String) -> UnlocatedDiagnostic? {
    if json.kind == .object || json.kind == .null { return nil }
    let message = "expected an object, found \(json.kind?.description ?? "nothing")"
    return UnlocatedDiagnostic(path: DocumentPath.root.appending(section), message: message)
  }

  /// Reads and compiles the next value; nil for one that is marked as deleted.
  private mutating func entry<Part: Sendable>(
    of json: inout JSONReader, at steps: [DocumentPath.Step],
    _ compile: (inout PartReader, FlagValue) throws(PartReader.Problem) -> Part?
  ) throws(JSONError) -> Definitions.Entry<Part>? {
    let problem: UnlocatedDiagnostic
    do throws(JSONError) {
      let value = try json.readValue()
      parts.begin(at: steps)
      do throws(PartReader.Problem) {
        return try compile(&parts, value).map { .part($0) }
      } catch {
        problem = error.diagnostic
      }
    } catch {
      guard error.code == .range else { throw error }
      problem = UnlocatedDiagnostic(error)
    }
    found.add([problem])
    return .malformed(reason(problem))
  }

  private func reason(_ problem: UnlocatedDiagnostic) -> String {
    "\(file.map { "\($0): " } ?? "")\(problem.path): \(problem.message)"
  }

  private func print(of range: Range<Int>) -> Fingerprint { Fingerprint(of: Array(text[range])) }
}
