import FlagDomain

/// Where the parts of a document stand in its text.
struct DocumentOutline {
  let flags: [JSONMember]
  let evaluators: JSONMember?
  let metadata: JSONMember?

  /// Why a text has no outline.
  enum Failure: Error {
    case syntax(JSONError)
    case shape(Remark)
  }

  init(_ bytes: [UInt8]) throws(Failure) {
    let members = try Self.members(of: bytes)
    evaluators = members.last { $0.name == "$evaluators" }
    metadata = members.last { $0.name == "metadata" }
    flags = try Self.flags(members.last { $0.name == "flags" }, in: bytes)
  }
}

extension DocumentOutline {
  /// Finds the parts of a document, or throws what keeps them from being found.
  init(reading bytes: [UInt8]) throws(FlagDocumentError) {
    do {
      try self.init(bytes)
    } catch {
      throw FlagDocumentError(findings: [error.finding(JSONLocator(bytes))])
    }
  }

  private static func members(of bytes: [UInt8]) throws(Failure) -> [JSONMember] {
    do throws(JSONError) {
      try JSONText.checkEncoding(of: bytes)
      var scanner = JSONScanner(bytes, at: JSONText.start(of: bytes))
      scanner.skipSpace()
      let isObject = scanner.next == UInt8(ascii: "{")
      let members = isObject ? try scanner.skipMembers() : []
      if !isObject { _ = try scanner.skipValue() }
      try scanner.skipEnd()
      if isObject { return members }
    } catch {
      throw .syntax(error)
    }
    throw .shape(Remark(path: .root, message: "expected an object with the member \"flags\", found something else"))
  }

  private static func flags(_ member: JSONMember?, in bytes: [UInt8]) throws(Failure) -> [JSONMember] {
    guard let member else {
      throw .shape(Remark(path: .root, message: "expected the member \"flags\", found none"))
    }
    var scanner = JSONScanner(bytes, at: member.value.lowerBound)
    switch scanner.next {
    case UInt8(ascii: "{"):
      do { return try scanner.skipMembers() } catch { throw .syntax(error) }
    case UInt8(ascii: "["):
      throw .shape(
        Remark(
          path: .root.appending("flags"),
          message: "expected an object with the flags by their keys, found an array, as only the flagd daemon reads it")
      )
    default:
      throw .shape(
        Remark(path: .root.appending("flags"), message: "expected an object with the flags by their keys, found none"))
    }
  }
}

extension DocumentOutline {
  /// Returns findings of remarks, in the order of the text.
  func findings(_ remarks: [Remark], in bytes: [UInt8]) -> [Finding] {
    guard !remarks.isEmpty else { return [] }
    let starts = flags.map { (JSONPath.root.appending("flags").appending($0.name), $0.value.lowerBound) }
    let locator = JSONLocator(bytes, known: Dictionary(starts) { _, last in last })
    return remarks.map { Finding($0, locator) }.sorted { $0.position < $1.position }
  }
}

extension DocumentOutline.Failure {
  fileprivate func finding(_ locator: JSONLocator) -> Finding {
    switch self {
    case .syntax(let error): Finding(error, locator)
    case .shape(let remark): Finding(remark, locator)
    }
  }
}
