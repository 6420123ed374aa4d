import FlagDefinitions
import FlagDomain
import FlagFoundation

/// The places in code that read the flags of a store of definitions, searched when they are asked for.
///
/// The code is searched once for all flags, and again if a flag is asked for that the document did not have then, or
/// after a minute, since code changes while a console is open.
final class CodeReads: Sendable {
  private struct State {
    var store: (any DefinitionStore)?
    var places: [String: [String]] = [:]
    var unreadKeys: Set<String> = []
    var time = Int64.min
  }

  private let options: ReaderOptions
  private let terminal: Terminal
  private let state = Locked(State())

  /// The seconds after which the code is searched again.
  private static let lifetime: Int64 = 60

  init(_ options: ReaderOptions, on terminal: Terminal) { (self.options, self.terminal) = (options, terminal) }

  /// Whether there is code to search.
  var isGiven: Bool { !options.sources.isEmpty }

  func follow(_ store: any DefinitionStore) { state.withLock { $0.store = store } }

  /// The flags that no code read when it was searched last; empty before the first search.
  var unreadKeys: Set<String> { state.withLock { $0.unreadKeys } }

  /// Returns a document of one flag.
  private static func document(of key: String) throws(ToolError) -> FlagDocument {
    let text = #"{"flags": {\#(FlagValue.string(key).description): {"state": "ENABLED", "variants": {"on": true}}}}"#
    return try mapError(try FlagDocument(parsing: Data(text.utf8))) { (error: FlagDocumentError) in
      ToolError.data("\(error)")
    }
  }

  /// Returns the places that read a flag, which may be new; nil if the code cannot be searched.
  func places(of key: String) -> [String]? {
    let (store, known, time) = state.withLock { ($0.store, $0.places[key], $0.time) }
    let now = terminal.now()
    if let known, now - time < Self.lifetime { return known }
    guard let document = store?.current?.document else { return nil }
    // The key of a flag that is to be made is in no document.
    let isNew = document.listing(of: key) == nil
    do throws(ToolError) {
      let asked: any DefinitionDocument = if isNew { try Self.document(of: key) } else { document }
      let reads = try options.reads(of: asked, on: terminal)
      var places: [String: [String]] = [:]
      for key in asked.keys { places[key] = (reads[key] ?? []).map { "may be read: \($0)" } }
      if isNew { return places[key] }
      let unread = Set(places.filter(\.value.isEmpty).keys)
      state.withLock { [places] in ($0.places, $0.unreadKeys, $0.time) = (places, unread, now) }
      return places[key]
    } catch {
      terminal.print(error)
      return nil
    }
  }
}
