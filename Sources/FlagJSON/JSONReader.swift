package import FlagDomain

/// Reads a JSON text in one pass, and makes the values that the caller asks for.
///
/// It accepts RFC 8259 in UTF-8, with or without a byte order mark, and nothing else. It does not
/// recurse: nesting costs it eight or sixteen bytes a level, and no stack. It reads a character once, but for those of
/// numerals and of strings with escapes, and for what is read again after `reset(to:)`.
///
/// The caller asks for what comes next, in the order of the text:
///
///     try JSONReader.read(bytes) { reader throws(JSONError) in
///       try reader.enterObject()
///       while let name = try reader.nextMember() {
///         if name == "flags" { flags = try reader.readValue() }  // what is not read is passed over
///       }
///       try reader.finish()
///     }
///
/// After an error with the code `syntax`, whatever else is asked for fails with the same error.
package struct JSONReader: ~Copyable {
  /// The most levels of arrays and objects that a value may have, where a caller does not say otherwise.
  ///
  /// Values are released one inside the other. So many levels take a small part of a stack of 512 KiB.
  package static let maximumDepth = 256

  let text: JSONText
  /// How many levels a value may have.
  let depth: Int
  /// The count of bytes before what comes next; within a value's members and elements, white space is passed already.
  package internal(set) var offset: Int

  /// The arrays and objects that the reader is in, outermost first.
  var levels: [Level] = []
  /// Whether the reader is before a value: before a member's or an element's, or the outermost one.
  var isBeforeValue = true
  var builder = ValueBuilder()
  var strings = StringCache()
  /// The paths of the outer levels, as far as someone has asked for them.
  var knownPaths: [DocumentPath] = []
  var ignoredMembers: [DuplicateMember] = []
  /// How many of the members that do not count are kept in mind.
  package var maximumDuplicates = 100
  /// What made the rest of the text unreadable; nil where nothing did.
  var brokenBy: JSONError?

  /// An array or an object that the reader is in.
  enum Level {
    /// The index of the element that the reader is at or after; -1 before the first one.
    case array(Int)
    /// The offset of the name of the member that the reader is at or after; -1 before the first one.
    case object(Int)
  }

  private init(_ text: JSONText, depth: Int) {
    self.text = text
    self.depth = depth
    offset = text.start
  }

  /// Lends a reader of a text in UTF-8, which is at its outermost value, to a closure.
  ///
  /// A value may have as many levels of arrays and objects as the depth says.
  package static func read<Result, Failure: Error>(
    _ text: some Collection<UInt8>, depth: Int = maximumDepth, _ body: (inout JSONReader) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try JSONText.withText(of: text) { text throws(Failure) in
      var reader = JSONReader(text, depth: depth)
      reader.skipSpace()
      return try body(&reader)
    }
  }
}

extension JSONReader {
  /// The kind of the value that comes next, by its first character; nil where no value begins.
  package var kind: JSONKind? { isBeforeValue ? JSONKind(text.byte(at: offset)) : nil }

  /// Reads the value that comes next, as a whole.
  ///
  /// - Throws: An error with the code `range` where the value holds a number beyond every double or half of a
  ///   surrogate pair, or is too deep. It is passed over then, so that those after it can be read.
  package mutating func readValue() throws(JSONError) -> FlagValue {
    try checkValue()
    builder.begin()
    defer { builder.isMaking = false }
    try passValue()
    return try builder.end()
  }

  /// Passes over the value that comes next, of any depth, and returns where it is.
  ///
  /// It must be JSON; whether its numbers and strings could be held is not looked at.
  @discardableResult
  package mutating func skipValue() throws(JSONError) -> Range<Int> {
    try checkValue()
    let start = offset
    try passValue()
    return start..<offset
  }

  /// Passes over white space up to the end of the text, or throws where anything else comes next.
  package mutating func finish() throws(JSONError) {
    try checkText()
    if isBeforeValue { try passValue() }
    skipSpace()
    guard offset == text.count else { throw error(expected: "the end of the document") }
  }
}

extension JSONReader {
  /// Goes into the object that comes next.
  ///
  /// - Throws: An error with the code `kind` where something else comes next, which is then left to be read.
  package mutating func enterObject() throws(JSONError) { try enter(.object(-1), as: .object) }

  /// Goes into the array that comes next, as ``enterObject()`` does into an object.
  package mutating func enterArray() throws(JSONError) { try enter(.array(-1), as: .array) }

  /// Moves to the next member of the object, and returns its name; at the object's end, moves behind that.
  ///
  /// The value of the member before is passed over, unless it was read.
  ///
  /// - Throws: An error with the code `range` where the name holds half of a surrogate pair; its value comes next.
  package mutating func nextMember() throws(JSONError) -> String? {
    try checkText()
    guard case .object? = levels.last else { preconditionFailure("nextMember() is for objects that were entered") }
    if isBeforeValue { try passValue() }
    guard try advance() else { return nil }
    let name = try passName()
    return try string(name)
  }

  /// Moves to the next element of the array, or behind its end, and returns whether there is one.
  ///
  /// The element before is passed over, unless it was read.
  package mutating func nextElement() throws(JSONError) -> Bool {
    try checkText()
    guard case .array? = levels.last else { preconditionFailure("nextElement() is for arrays that were entered") }
    if isBeforeValue { try passValue() }
    return try advance()
  }

  /// The offset of the name of the member that the reader is at; nil outside objects and before their first member.
  package var nameOffset: Int? {
    if case .object(let offset)? = levels.last, offset >= 0 { offset } else { nil }
  }

  private func checkValue() throws(JSONError) {
    try checkText()
    precondition(isBeforeValue, "nextMember() or nextElement() must have found a value, which is read once")
  }

  private mutating func enter(_ level: Level, as kind: JSONKind) throws(JSONError) {
    try checkValue()
    guard self.kind == kind else {
      // What is no value at all, is a mistake of the text.
      guard let found = self.kind else { throw error(expected: "a value") }
      throw JSONError(code: .kind, offset: offset, path: path, expected: "\(kind)", found: "\(found)")
    }
    guard levels.count < depth else {
      let error = tooDeep
      try passValue()
      throw error
    }
    open(level)
  }
}

extension JSONReader {
  /// The members that do not count in the objects that were read, because a later one has their name.
  ///
  /// They are in the order of the text, and no more than ``maximumDuplicates``.
  package var duplicates: [DuplicateMember] { ignoredMembers.sorted { $0.offset < $1.offset } }

  /// A position in the text that a reader can return to.
  package struct Mark: Sendable {
    fileprivate let offset: Int
    fileprivate let levels: [Level]
    fileprivate let isBeforeValue: Bool
  }

  package var mark: Mark { Mark(offset: offset, levels: levels, isBeforeValue: isBeforeValue) }

  /// Returns to an earlier position of this reader.
  package mutating func reset(to mark: Mark) {
    offset = mark.offset
    levels = mark.levels
    isBeforeValue = mark.isBeforeValue
    knownPaths = []
  }
}
