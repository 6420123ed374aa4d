import FlagDomain

/// Reads a document: finds its flags, has each parsed on its own, and notes what is wrong.
///
/// Parsing flag by flag keeps the memory small that the parser takes, and a broken flag away from the others.
struct DocumentReader {
  private(set) var entries: [String: FlagDocument.Entry] = [:]
  private(set) var remarks: [Remark] = []
  /// The shared rules, by their names.
  private(set) var evaluators: [String: FlagValue] = [:]

  private let bytes: [UInt8]

  init(_ outline: DocumentOutline, of bytes: [UInt8]) {
    self.bytes = bytes
    let metadata = readMetadata(outline.metadata)
    evaluators = readEvaluators(outline.evaluators)
    var compiler = RuleCompiler(evaluators: evaluators)
    entries.reserveCapacity(outline.flags.count)
    for member in outline.flags {
      entries[member.name] = entry(member, sharing: metadata, compiler: &compiler)
    }
  }
}

extension DocumentReader {
  /// Returns what a field holds, or nil where that cannot be read.
  func value(of member: JSONMember) -> FlagValue? {
    do { return try FlagValue(json: member, in: bytes) } catch { return nil }
  }

  private mutating func entry(
    _ member: JSONMember, sharing metadata: [String: FlagValue], compiler: inout RuleCompiler
  ) -> FlagDocument.Entry {
    let path = JSONPath.root.appending("flags").appending(member.name)
    var reader = FlagReader(key: member.name, path: path)
    if let value = readValue(of: member, at: path),
      let flag = reader.read(value, sharing: metadata, compiler: &compiler)
    {
      return .flag(flag)
    }
    remarks += reader.remarks
    return .malformed(remarks.last { $0.path.starts(with: path) }.map { "\($0.path): \($0.message)" } ?? "malformed")
  }

  private mutating func readValue(of member: JSONMember, at path: JSONPath) -> FlagValue? {
    do {
      return try FlagValue(json: member, in: bytes)
    } catch {
      remarks.append(Remark(path: path, message: "\(error)"))
      return nil
    }
  }

  private mutating func readMetadata(_ member: JSONMember?) -> [String: FlagValue] {
    guard let member else { return [:] }
    let path = JSONPath.root.appending("metadata")
    guard let value = readValue(of: member, at: path) else { return [:] }
    return FlagMetadataShape.read(value, at: path, remarks: &remarks)
  }

  private mutating func readEvaluators(_ member: JSONMember?) -> [String: FlagValue] {
    guard let member else { return [:] }
    let path = JSONPath.root.appending("$evaluators")
    guard let value = readValue(of: member, at: path) else { return [:] }
    guard case .object(let evaluators) = value else {
      remarks.append(Remark(path, expected: "an object with the rules by their names", found: value))
      return [:]
    }
    return evaluators
  }
}

extension FlagValue {
  /// Reads the value of a field.
  fileprivate init(json member: JSONMember, in bytes: [UInt8]) throws(JSONError) {
    guard member.depth <= JSONLimits.depth else {
      throw JSONError(tooDeep: member.depth, at: member.value.lowerBound)
    }
    try self.init(json: bytes[member.value])
  }
}
