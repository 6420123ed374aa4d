package import FlagDomain

/// Parses a JSON text in one pass, and creates the values that the caller requests.
///
/// It accepts RFC 8259 in UTF-8, with or without a byte order mark, and nothing else. It does not recurse: nesting
/// costs eight or sixteen bytes a level, and no stack. It reads each character once, except for those of numerals, of
/// strings with escapes, and after `reset(to:)`.
///
/// The caller reads values in the order of the text:
///
///     try JSONReader.read(bytes) { reader throws(JSONError) in
///       try reader.enterObject()
///       while let name = try reader.nextMember() {
///         if name == "flags" { flags = try reader.readValue() }  // unread values are skipped
///       }
///       try reader.finish()
///     }
///
/// After an error with the code `syntax`, every further call fails with the same error.
package struct JSONReader: ~Copyable {
  /// The default for the maximum number of nested arrays and objects in a value.
  ///
  /// Releasing values recurses. This depth takes a small part of a stack of 512 KiB.
  package static let maximumDepth = 256

  let text: JSONText
  /// The maximum number of nested arrays and objects in a value.
  let depth: Int
  /// The number of bytes before the next token; within members and elements, white space has been skipped.
  package internal(set) var offset: Int

  /// The arrays and objects that the reader is in, outermost first.
  var levels: [Level] = []
  /// Whether the reader is before a value: a member's, an element's, or the outermost one.
  var isBeforeValue = true
  var builder = ValueBuilder()
  var strings = StringCache()
  /// The cached paths of the outer levels, as far as they were requested.
  var knownPaths: [DocumentPath] = []
  var ignoredMembers: [DuplicateMember] = []
  /// Whether a number beyond every double is read, as an infinite one with its text; if not, it is an error.
  package var keepsHugeNumbers = false
  /// The maximum number of duplicate members to record.
  package var maximumDuplicates = 100
  /// The error that made the rest of the text unreadable; nil if there was none.
  var brokenBy: JSONError?

  /// An array or an object that the reader is in.
  enum Level {
    /// The index of the current element; -1 before the first one.
    case array(Int)
    /// The offset of the name of the current member; -1 before the first one.
    case object(Int)
  }

  private init(_ text: JSONText, depth: Int) {
    self.text = text
    self.depth = depth
    offset = text.start
  }

  /// Passes a reader of a text in UTF-8, at its outermost value, to a closure.
  ///
  /// The depth limits the nested arrays and objects of each value.
  package static func read<Result, Failure: Error>(
    _ text: some Collection<UInt8>, depth: Int = maximumDepth, _ body: (inout JSONReader) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try JSONText.withText(of: text) { text throws(Failure) in
      var reader = JSONReader(text, depth: depth)
      reader.skipSpace()
      return try body(&reader)
    }
  }

  /// The kind of the next value, by its first character; nil if no value begins there.
  package var kind: JSONKind? { isBeforeValue ? JSONKind(text.byte(at: offset)) : nil }

  /// Reads the next value as a whole.
  ///
  /// - Throws: An error with the code `range` if the value has a number beyond every double or an unpaired surrogate,
  ///   or is too deep. It is skipped then, so that those after it can be read.
  package mutating func readValue() throws(JSONError) -> FlagValue {
    try checkValue()
    builder.begin()
    defer { builder.isMaking = false }
    try passValue()
    return try builder.end()
  }

  /// Skips the next value, of any depth, and returns its range.
  ///
  /// It must be JSON; whether its numbers and strings could be represented is not checked.
  @discardableResult
  package mutating func skipValue() throws(JSONError) -> Range<Int> {
    try checkValue()
    let start = offset
    try passValue()
    return start..<offset
  }

  /// Skips white space up to the end of the text, or throws if anything else comes next.
  package mutating func finish() throws(JSONError) {
    try checkText()
    if isBeforeValue { try passValue() }
    skipSpace()
    guard offset == text.count else { throw error(expected: "the end of the document") }
  }

  /// Enters the next value, an object.
  ///
  /// - Throws: An error with the code `kind` if the next value is not an object; it can still be read.
  package mutating func enterObject() throws(JSONError) { try enter(.object(-1), as: .object) }

  /// Enters the next value, an array, as ``enterObject()`` enters an object.
  package mutating func enterArray() throws(JSONError) { try enter(.array(-1), as: .array) }

  /// Moves to the next member of the object, and returns its name; at the object's end, moves past it.
  ///
  /// The value of the previous member is skipped, unless it was read.
  ///
  /// - Throws: An error with the code `range` if the name has an unpaired surrogate; its value comes next.
  package mutating func nextMember() throws(JSONError) -> String? {
    try checkText()
    guard case .object? = levels.last else { preconditionFailure("nextMember() is for objects that were entered") }
    if isBeforeValue { try passValue() }
    guard try advance() else { return nil }
    let name = try passName()
    return try string(name)
  }

  /// Moves to the next element of the array, or past its end, and returns whether there is one.
  ///
  /// The previous element is skipped, unless it was read.
  package mutating func nextElement() throws(JSONError) -> Bool {
    try checkText()
    guard case .array? = levels.last else { preconditionFailure("nextElement() is for arrays that were entered") }
    if isBeforeValue { try passValue() }
    return try advance()
  }

  /// The offset of the current member's name; nil outside objects and before their first member.
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
      // A token that does not begin a value is a syntax error.
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

  /// The ignored members of the objects that were read, because a later member has their name.
  ///
  /// They are in the order of the text, and at most ``maximumDuplicates``.
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
