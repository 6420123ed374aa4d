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
  /// The flags that clients may have answers of.
  let flags: [WrittenFlag]
  /// The last good definitions of the flags that are broken in the document.
  private let lastGood: LastGoodFlags
  /// The number of flags that are malformed, or need a part that is.
  let brokenFlags: Int
  /// Whether the store cannot tell whether they are the newest.
  var isStale = false
  /// The flags' keys, in their order, compared by code units.
  private var keys = StringTable()

  init(
    _ stored: StoredDefinitions, replacing previous: ServedDefinitions?, loaded: ContinuousClock.Instant, date: HTTPDate
  ) {
    document = stored.document
    text = stored.text
    version = stored.version
    tag = ETag(fingerprintOf: stored.text)
    self.loaded = loaded
    loadedDate = date
    lastGood = previous.map { LastGoodFlags(for: stored.document, after: $0.document, $0.lastGood) } ?? LastGoodFlags()
    var flags: [WrittenFlag] = []
    brokenFlags = stored.document.brokenKeys.count
    for listing in stored.document.listed {
      let flag = lastGood.listing(of: listing.key) ?? listing
      guard listing.isForClients, flag.isForClients, keys.insert(flag.key) == flags.count else { continue }
      flags.append(WrittenFlag(flag))
    }
    self.flags = flags
  }

  /// Returns the index of a flag in ``flags``; nil if no flag has the key.
  func place(of key: String) -> Int? { keys.number(of: key) }

  /// Evaluates a flag, with the reason `STALE` if the definitions may be out of date.
  func answer(
    _ flag: WrittenFlag, in context: EvaluationContext, at seconds: Int64, isStale: Bool
  ) throws(FlagError) -> FlagAnswer {
    do throws(FlagError) {
      if !lastGood.isEmpty, let answer = try lastGood.answer(for: flag.key, in: context, at: seconds) { return answer }
      guard var answer = try document.evaluate(flag.key, in: context, at: seconds) else {
        throw FlagError(.flagNotFound, "no flag is named \(flag.key.quoted)")
      }
      if isStale { answer.reason = .stale }
      return answer
    } catch {
      throw error.code == .parseError ? Self.withoutRules(error) : error
    }
  }

  /// Returns the error of a malformed flag without what its rules contain, such as names of users: who may evaluate
  /// need not be one who may read them.
  ///
  /// Its place stays, if the message begins with one.
  private static func withoutRules(_ error: FlagError) -> FlagError {
    let place = error.message.hasPrefix("$") ? error.message.firstRange(of: ": ") : nil
    let path = place.map { "\(error.message[..<$0.upperBound])" } ?? ""
    var other = FlagError(.parseError, "\(path)the definition is malformed; the server's log says why")
    other.metadata = error.metadata
    return other
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
