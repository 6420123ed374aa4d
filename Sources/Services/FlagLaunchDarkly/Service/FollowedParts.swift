import FlagDomain
import FlagHTTP
import FlagJSON
import FlagServices

/// The document that an open stream delivers, kept for the next request of it.
///
/// While a stream is open and has delivered a document, requests are answered from here.
final class FollowedParts: Sendable {
  private struct State {
    var parts: VersionedParts
    /// The number of the open stream; streams that were opened before have no say.
    var stream = 0
    /// The address of the open stream.
    var address = ""
    /// Whether the stream has delivered a document, be it unknown again since.
    var isOpened = false
  }

  private let sections: [String]
  private let state: Locked<State>

  init(sections: [String]) {
    self.sections = sections
    state = Locked(State(parts: VersionedParts(sections: sections)))
  }

  /// Returns the current document of the stream at an address; nil if it has delivered none.
  func text(from address: String) -> [UInt8]? {
    state.withLock { $0.address == address ? $0.parts.text : nil }
  }

  /// Begins to follow a stream, and returns its number.
  func begin(_ address: String) -> Int {
    state.withLock { state in
      state = State(parts: VersionedParts(sections: sections), stream: state.stream + 1, address: address)
      return state.stream
    }
  }

  /// Forgets what a stream has delivered, since more is missing, or unreadable.
  func forget(_ stream: Int? = nil) {
    state.withLock { state in
      if stream ?? state.stream == state.stream { state.parts = VersionedParts(sections: sections) }
    }
  }

  /// Applies an event of a stream, and returns the change that it announces; nil for none.
  func apply(_ event: ServerSentEvent, of stream: Int) -> StreamEvent? {
    state.withLock { state in
      guard stream == state.stream else { return nil }
      do throws(VersionedParts.Malformed) {
        guard try state.parts.apply(event) else { return nil }
        // The beginning of the stream is when it has delivered a document.
        guard state.isOpened || !state.parts.isComplete else {
          state.isOpened = true
          return .opened
        }
        return .changed(ChangeHint())
      } catch {
        state.parts = VersionedParts(sections: sections)
        return .changed(ChangeHint())
      }
    }
  }
}

extension VersionedParts {
  /// Applies an event; returns whether it changes anything.
  fileprivate mutating func apply(_ event: ServerSentEvent) throws(Malformed) -> Bool {
    switch event.type {
    case "put":
      try put(try document(of: event))
      return true
    case "patch", "delete":
      let members = try Self.members(of: event.data)
      let isDeleted = event.type == "delete"
      guard let (section, name) = try place(in: members) else { return false }
      let part = isDeleted || sections.isEmpty ? FlagValue.object(members) : members["data"] ?? .null
      guard let version = part.fields?["version"]?.whole else { throw Malformed() }
      let isNewer = set(name, of: section, version: version, isDeleted ? nil : Array(part.description.utf8))
      return isNewer && isComplete
    case "ping":
      // All answers are to be requested again.
      throw Malformed()
    default: return false
    }
  }

  /// Returns the whole document of an event.
  private func document(of event: ServerSentEvent) throws(Malformed) -> [UInt8] {
    let text = Array(event.data.utf8)
    guard !sections.isEmpty else { return text }
    do throws(JSONError) {
      let range = try JSONReader.read(text) { json throws(JSONError) -> Range<Int>? in
        var range: Range<Int>?
        try json.enterObject()
        while let name = try json.nextMember() { if name == "data" { range = try json.skipValue() } }
        try json.finish()
        return range
      }
      if let range { return Array(text[range]) }
    } catch {
      throw Malformed()
    }
    throw Malformed()
  }

  /// Returns the section and the name of the part that an event is about; nil for a section that is not known.
  private func place(in members: [String: FlagValue]) throws(Malformed) -> (section: String, name: String)? {
    guard !sections.isEmpty else {
      guard case .string(let key)? = members["key"] else { throw Malformed() }
      return ("", key)
    }
    guard case .string(let path)? = members["path"] else { throw Malformed() }
    for section in sections where path.utf8.starts(with: "/\(section)/".utf8) {
      return (section, String(decoding: path.utf8.dropFirst(section.utf8.count + 2), as: UTF8.self))
    }
    return nil
  }

  private static func members(of text: String) throws(Malformed) -> [String: FlagValue] {
    do throws(JSONError) {
      if case .object(let members) = try FlagValue(json: Array(text.utf8)) { return members }
    } catch {
      throw Malformed()
    }
    throw Malformed()
  }
}
