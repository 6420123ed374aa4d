import FlagDomain
import FlagJSON

/// The places of the flags in a document's text, and of everything else that decides.
struct DocumentSources {
  let text: [UInt8]
  /// The definitions of the flags by the bytes of their keys.
  private var flags: [[UInt8]: Range<Int>] = [:]
  /// The members of the document other than the flags, by name.
  private var members: [String: Range<Int>] = [:]

  init(_ text: [UInt8]) throws(FlagError) {
    self.text = text
    do throws(JSONError) {
      (flags, members) = try JSONReader.read(text) { reader throws(JSONError) in try Self.read(&reader) }
    } catch {
      throw FlagError(error, in: text)
    }
  }

  private static func read(
    _ reader: inout JSONReader
  ) throws(JSONError) -> (flags: [[UInt8]: Range<Int>], members: [String: Range<Int>]) {
    var (flags, members): ([[UInt8]: Range<Int>], [String: Range<Int>]) = ([:], [:])
    try reader.enterObject()
    while let name = try reader.nextMember() {
      guard name == "flags" else {
        members[name] = try reader.skipValue()
        continue
      }
      flags = [:]
      try reader.enterObject()
      while let key = try reader.nextMember() { flags[Array(key.utf8)] = try reader.skipValue() }
    }
    return (flags, members)
  }
}

extension DocumentSources {
  /// Returns a flag's definition as it is written; nil if there is no such flag.
  func source(of key: String) -> ArraySlice<UInt8>? { flags[Array(key.utf8)].map { text[$0] } }

  /// Returns the keys of the flags that are written differently in another document, sorted.
  func differing(from other: DocumentSources) -> [String] {
    var keys = flags.filter { key, range in other.flags[key].map { text[range] != other.text[$0] } ?? true }.map(\.key)
    keys += other.flags.keys.filter { flags[$0] == nil }
    return keys.map { String(decoding: $0, as: UTF8.self) }.sorted()
  }

  /// Returns a fingerprint of what differs from an older document, and of all that is shared by flags.
  func fingerprint(of keys: [String], from older: DocumentSources) -> String {
    var bytes: [UInt8] = []
    func append(_ name: String, _ part: ArraySlice<UInt8>?) {
      bytes += "\(name.utf8.count) \(name) \(part.map { "\($0.count)" } ?? "-") ".utf8
      bytes += part ?? []
    }
    for key in keys {
      append(key, older.source(of: key))
      append(key, source(of: key))
    }
    for document in [older, self] {
      for name in document.members.keys.sorted() { append(name, document.members[name].map { document.text[$0] }) }
    }
    return Fingerprint(of: bytes).description
  }
}
