import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagSupport

/// Definitions in the form in which they are served: the text with its tag, and each flag's answers, encoded ahead.
struct ServedDefinitions: Sendable {
  private let document: any DefinitionDocument
  let text: [UInt8]
  let version: DefinitionVersion
  /// The tag of the text; every server has the same one for the same text.
  let tag: ETag
  let loaded: ContinuousClock.Instant
  let loadedDate: HTTPDate
  let flags: [WrittenFlag]
  /// Whether the store cannot tell whether they are the newest.
  var isStale = false
  /// The flags' keys, in their order, compared by code units.
  private var keys = StringTable()

  init(_ stored: StoredDefinitions, loaded: ContinuousClock.Instant, date: HTTPDate) {
    document = stored.document
    text = stored.text
    version = stored.version
    tag = ETag(fingerprintOf: stored.text)
    self.loaded = loaded
    loadedDate = date
    var flags: [WrittenFlag] = []
    for flag in stored.document.listed where keys.insert(flag.key) == flags.count { flags.append(WrittenFlag(flag)) }
    self.flags = flags
  }
}

extension ServedDefinitions {
  /// Returns the index of a flag in ``flags``; nil if no flag has the key.
  func place(of key: String) -> Int? { keys.number(of: key) }

  /// Evaluates a flag, with the reason `STALE` if the definitions may be out of date.
  func answer(
    _ flag: WrittenFlag, in context: EvaluationContext, at seconds: Int64, isStale: Bool
  ) throws(FlagError) -> FlagAnswer {
    guard var answer = try document.evaluate(flag.key, in: context, at: seconds) else {
      throw FlagError(.flagNotFound, "no flag is named \(flag.key.quoted)")
    }
    if isStale { answer.reason = .stale }
    return answer
  }
}

extension ETag {
  /// Creates a strong tag from the fingerprint of bytes.
  init(fingerprintOf bytes: [UInt8]) {
    guard let tag = ETag(opaque: Fingerprint(of: bytes).description) else {
      preconditionFailure("hexadecimal digits may be part of a tag")
    }
    self = tag
  }
}
