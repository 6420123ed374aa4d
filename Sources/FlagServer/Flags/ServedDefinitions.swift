import FlagDefinitions
import FlagDomain
import FlagHTTP

/// Definitions as they are served: the text with its tag, and each flag's answers, written ahead.
struct ServedDefinitions: Sendable {
  let document: FlagDocument
  let text: [UInt8]
  let version: DefinitionVersion
  /// What the text is known by; the same for the same text, whoever serves it.
  let tag: ETag
  let loaded: ContinuousClock.Instant
  let loadedDate: HTTPDate
  let flags: [WrittenFlag]

  init(_ stored: StoredDefinitions, loaded: ContinuousClock.Instant, date: HTTPDate) {
    document = stored.document
    text = stored.text
    version = stored.version
    tag = ETag(fingerprintOf: stored.text)
    self.loaded = loaded
    loadedDate = date
    flags = stored.document.listed.map(WrittenFlag.init)
  }
}

extension ETag {
  /// Creates a strong tag that tells bytes from all others.
  init(fingerprintOf bytes: [UInt8]) {
    guard let tag = ETag(opaque: Fingerprint(of: bytes).description) else {
      preconditionFailure("hexadecimal digits may be part of a tag")
    }
    self = tag
  }
}
