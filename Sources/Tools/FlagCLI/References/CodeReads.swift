import FlagDefinitions
import FlagDomain

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

  /// Returns the places that read a flag; nil if the code cannot be searched.
  func places(of key: String) -> [String]? {
    let (store, known, time) = state.withLock { ($0.store, $0.places[key], $0.time) }
    let now = terminal.now()
    if let known, now - time < Self.lifetime { return known }
    guard let document = store?.current?.document else { return nil }
    do throws(ToolError) {
      let reads = try options.reads(of: document, on: terminal)
      let places = document.keys.reduce(into: [:]) { $0[$1] = (reads[$1] ?? []).map { "may be read: \($0)" } }
      let unread = Set(places.filter(\.value.isEmpty).keys)
      state.withLock { ($0.places, $0.unreadKeys, $0.time) = (places, unread, now) }
      return places[key]
    } catch {
      terminal.print(error)
      return nil
    }
  }
}
