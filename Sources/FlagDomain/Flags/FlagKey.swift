/// The name that identifies a flag across providers: checked once, and then as cheap as an integer.
///
/// Equal names make the same key, anywhere in the process: keys are interned, so comparing two of them, or finding a
/// key's place in a table, never looks at characters. An interned name is never freed; make keys from the
/// names that code declares and definitions hold, not from every string that a stranger sends.
public struct FlagKey: Sendable {
  private let entry: Unmanaged<Entry>

  /// The key's number: small, dense from zero, the same for the whole life of the process, and no longer.
  package let index: Int

  /// Creates a key, or returns nil where the name is not valid.
  ///
  /// A valid name has 1 to 1,024 bytes of UTF-8 and neither white space nor control characters.
  public init?(_ name: String) {
    guard Self.isValid(name) else { return nil }
    self.init(Interned.shared.entry(for: name))
  }

  private init(_ entry: Entry) {
    self.entry = .passUnretained(entry)
    index = entry.index
  }

  /// The key's name.
  public var name: String {
    // The entry is alive: the table of names keeps every entry until the process ends.
    entry._withUnsafeGuaranteedRef { $0.name }
  }
}

extension FlagKey {
  /// The longest valid name, in bytes of UTF-8.
  public static let maximumLength = 1024

  /// Returns whether a key can be made from a name.
  public static func isValid(_ name: String) -> Bool {
    (1...maximumLength).contains(name.utf8.count)
      && !name.unicodeScalars.contains { $0.properties.isWhitespace || $0.properties.generalCategory == .control }
  }
}

extension FlagKey: Hashable {
  /// Returns whether two keys have the same name.
  public static func == (left: FlagKey, right: FlagKey) -> Bool { left.index == right.index }

  /// Feeds the key to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(index) }
}

extension FlagKey: Comparable {
  /// Returns whether the first key's name comes before the second's.
  public static func < (left: FlagKey, right: FlagKey) -> Bool { left.name < right.name }
}

extension FlagKey: CustomStringConvertible {
  /// The key's name.
  public var description: String { name }
}

extension FlagKey: ExpressibleByStringLiteral {
  /// Creates a key from a literal in code, which must be valid.
  public init(stringLiteral name: StringLiteralType) {
    guard let key = FlagKey(name) else {
      preconditionFailure("\"\(name)\" is not a flag key: 1 to 1,024 bytes, no white space, no control characters")
    }
    self = key
  }
}

/// A name and its number.
private final class Entry: Sendable {
  let name: String
  let index: Int

  init(name: String, index: Int) {
    self.name = name
    self.index = index
  }
}

/// Every name that was ever made a key, each kept until the process ends.
private final class Interned: Sendable {
  static let shared = Interned()

  private let entries = Locked<[String: Entry]>([:])

  func entry(for name: String) -> Entry {
    entries.withLock { entries in
      if let entry = entries[name] { return entry }
      let entry = Entry(name: name, index: entries.count)
      entries[name] = entry
      return entry
    }
  }
}
