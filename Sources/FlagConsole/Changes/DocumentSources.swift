import FlagDomain
import FlagJSON

/// The places of the flags in a document's text, and of everything else that decides.
struct DocumentSources {
  let text: [UInt8]
  /// The definitions of the flags by the bytes of their keys.
  private var flags: [[UInt8]: Range<Int>] = [:]
  /// The members of the document other than the flags, by name.
  private var members: [String: Range<Int>] = [:]
  /// The keys of the flags, in order.
  private var keys: [String] = []

  init(_ text: [UInt8]) throws(FlagError) {
    self.text = text
    do throws(JSONError) {
      try JSONReader.read(text) { reader throws(JSONError) in try read(&reader) }
    } catch {
      throw FlagError(error, in: text)
    }
  }

  private mutating func read(_ reader: inout JSONReader) throws(JSONError) {
    try reader.enterObject()
    while let name = try reader.nextMember() {
      guard name == "flags" else {
        members[name] = try reader.skipValue()
        continue
      }
      (flags, keys) = ([:], [])
      try reader.enterObject()
      while let key = try reader.nextMember() {
        flags[Array(key.utf8)] = try reader.skipValue()
        keys.append(key)
      }
    }
  }
}

extension DocumentSources {
  /// Returns a flag's definition as it is written; nil if there is no such flag.
  func source(of key: String) -> ArraySlice<UInt8>? { flags[Array(key.utf8)].map { text[$0] } }

  /// Returns a flag's definition as it is written.
  ///
  /// - Throws: `FLAG_NOT_FOUND` if there is no such flag.
  func flag(_ key: String) throws(FlagError) -> String {
    guard let source = source(of: key) else {
      throw FlagError(.flagNotFound, "the document has no flag “\(key.prefix(100))”")
    }
    return String(decoding: source, as: UTF8.self)
  }

  /// The names of the members other than the flags.
  var names: [String] { Array(members.keys) }

  /// Returns a member other than the flags as it is written; nil if there is none of that name.
  func member(_ name: String) -> ArraySlice<UInt8>? { members[name].map { text[$0] } }

  /// Returns the key of the flag before another one; nil for the first flag.
  func predecessor(of key: String) -> String? {
    guard let index = keys.firstIndex(where: { $0.isIdentical(to: key) }), index > 0 else { return nil }
    return keys[index - 1]
  }

  /// Returns the document with another definition in the place of a flag's.
  func replacing(_ key: String, with source: String) throws(FlagError) -> [UInt8] {
    guard let range = flags[Array(key.utf8)] else {
      throw FlagError(.flagNotFound, "the document has no flag “\(key.prefix(100))”")
    }
    return Array(text[..<range.lowerBound] + source.utf8 + text[range.upperBound...])
  }

  /// Returns the document with other texts in the places of flags and members that it has, by their paths.
  func replacing(_ parts: [(path: DocumentPath, text: [UInt8])]) -> [UInt8] {
    let places = parts.compactMap { part -> (range: Range<Int>, text: [UInt8])? in
      guard let name = part.path.name else { return nil }
      return (part.path.count == 1 ? members[name] : flags[Array(name.utf8)]).map { ($0, part.text) }
    }
    var (result, end): ([UInt8], Int) = ([], 0)
    for place in places.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      result += text[end..<place.range.lowerBound] + place.text
      end = place.range.upperBound
    }
    return result + text[end...]
  }

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
      for name in document.members.keys.sorted() { append(name, document.member(name)) }
    }
    return Fingerprint(of: bytes).description
  }
}
