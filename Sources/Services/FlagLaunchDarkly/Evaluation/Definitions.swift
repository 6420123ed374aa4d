import FlagDefinitions
import FlagDomain
import FlagSupport

/// The flags and segments of a document by their numbers; a number without one is of a key that only others name.
final class Definitions: Sendable {
  /// A part of a document, or the reason why it is malformed.
  enum Entry<Part: Sendable>: Sendable {
    case part(Part)
    case malformed(String)
  }

  /// Parts by the numbers of their keys.
  struct Table<Part: Sendable>: Sendable {
    var names = StringTable()
    private(set) var entries: ContiguousArray<Entry<Part>?> = []
    /// The hashes of the parts' texts.
    private(set) var prints: ContiguousArray<Fingerprint?> = []
    /// The numbers of the malformed parts that are not for clients, or may not be.
    var hidden: Set<Int> = []

    /// Sets the entry of a number that the names have.
    mutating func set(_ entry: Entry<Part>, _ print: Fingerprint, at number: Int) {
      grow()
      entries[number] = entry
      prints[number] = print
    }

    /// Makes room for an entry of each name.
    mutating func grow() {
      let missing = names.count - entries.count
      guard missing > 0 else { return }
      entries.append(contentsOf: repeatElement(nil, count: missing))
      prints.append(contentsOf: repeatElement(nil, count: missing))
    }

    /// Sets the entry of each name that has none.
    mutating func setMissing(_ entry: Entry<Part>, _ print: Fingerprint) {
      for number in entries.indices where entries[number] == nil { set(entry, print, at: number) }
    }

    /// Returns the hash of the part with a name; nil if there is none.
    func print(of name: String) -> Fingerprint? { names.number(of: name).flatMap { prints[$0] } }
  }

  let flags: Table<LaunchDarklyFlag>
  let segments: Table<Segment>

  init(flags: Table<LaunchDarklyFlag>, segments: Table<Segment>) {
    self.flags = flags
    self.segments = segments
  }
}
