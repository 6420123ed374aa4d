/// The name that identifies a flag across providers.
///
/// It is validated once, and compares as fast as an integer.
///
/// Names are compared by code points. Keys are interned: comparing two keys, or looking one up in a table, does not
/// access characters. Interned names are never freed, so create keys only from names that code declares, not from
/// strings in documents or requests.
@safe
public struct FlagKey: Sendable {
  // Memory safety: the table of names retains every entry until the process ends.
  private let entry: Unmanaged<Entry>
  @usableFromInline package let number: Int32
  /// The slot's number and, in the high bits, the traits of the declaration.
  ///
  /// They are stored here because reading a flag's metadata increments a reference count that all threads share.
  @usableFromInline package let slotBits: UInt32

  /// Creates a key from text, or returns nil if that is not a valid name.
  ///
  /// A valid name has 1 to 1,024 bytes of UTF-8 and neither white space nor control characters. A literal in code needs
  /// no label, and must be valid: `FlagKey("feed.page-size")`.
  public init?(validating name: String) {
    guard let entry = Interned.shared.validEntry(for: name) else { return nil }
    self.init(entry)
  }

  /// Creates a key from the app's own name for it, such as a case of an enum of keys, or returns nil if that is not
  /// valid.
  ///
  /// ```swift
  /// enum AppKey: String { case newSearch = "new-search" }
  /// let key = FlagKey(validating: AppKey.newSearch)
  /// ```
  ///
  /// Without the label, the name must be valid.
  public init?<Name: RawRepresentable<String>>(validating name: Name) { self.init(validating: name.rawValue) }

  /// Creates a key from the app's own name for it, such as a case of an enum of keys, which must be valid.
  ///
  /// ```swift
  /// enum AppKey: String { case newSearch = "new-search" }
  /// let newSearch = Flag(FlagKey(AppKey.newSearch), default: false, "The new search.")
  /// ```
  ///
  /// The names of an enum are code, so they are treated like literals. For names that are built at run time, use the
  /// initializer with the label `validating`.
  public init<Name: RawRepresentable<String>>(_ name: Name) { self.init(stringLiteral: name.rawValue) }

  /// Creates the key under which a provider knows a flag: any text, since a vendor's names may hold spaces.
  package init(providerName name: String) { self.init(Interned.shared.entry(for: name)) }

  private init(_ entry: Entry, slot: Int32 = FlagKey.noSlot, traits: FlagTraits = []) {
    unsafe self.entry = .passUnretained(entry)
    number = entry.number
    slotBits = UInt32(slot) | UInt32(traits.rawValue) << 26
  }

  /// The key's name.
  public var name: String {
    unsafe entry._withUnsafeGuaranteedRef { $0.name }
  }

  /// The key's name in UTF-8, in memory that is never freed and never changes.
  ///
  /// Passing it on needs no reference counting; ``name`` retains a string that all threads share.
  package var utf8: BorrowedBytes { unsafe BorrowedBytes(entry._withUnsafeGuaranteedRef { unsafe $0.utf8 }) }

  /// The key's number: small, dense from zero, and constant until the process ends.
  @inlinable package var index: Int { Int(number) }

  /// The number of the declaration that the key was taken from, which identifies the place where managers cache its
  /// value.
  ///
  /// Small, dense from one, and constant until the process ends. Declarations of one key that could give different
  /// values have different slots, see ``declared(default:_:isComputed:)``. A key made from data has ``noSlot``.
  @inlinable package var slot: Int { Int(slotBits & 0x03ff_ffff) }

  /// The traits of the declaration that the key was taken from.
  var traits: FlagTraits { FlagTraits(rawValue: UInt8(slotBits >> 26)) }

  /// The slot that never has a cached value.
  package static let noSlot: Int32 = 0

  /// Returns the key with the slot of a declaration.
  ///
  /// Equivalent declarations share a slot: same type, exclusions, path, and default, compared by its encoding or that
  /// of its parts. A default that contains objects that cannot be encoded is equivalent to no other. A key has at most
  /// ``maximumDeclarations`` slots, so that a default that is different every time does not use them up; further flags
  /// are resolved at each read.
  func declared<Value: Sendable>(default value: Value, _ metadata: FlagMetadata, isComputed: Bool) -> FlagKey {
    let entry = unsafe entry._withUnsafeGuaranteedRef { $0 }
    // Outside the lock: encoding may run the app's code.
    let declaration = Declaration(
      type: Value.self, value: FlagValue(comparingPartsOf: value), metadata: metadata, isComputed: isComputed)
    return FlagKey(entry, slot: Interned.shared.slot(of: declaration, at: index), traits: metadata.traits)
  }

  /// The maximum number of declarations of one key that have slots.
  package static let maximumDeclarations = 8

  /// The longest valid name, in bytes of UTF-8.
  public static let maximumLength = 1024

  /// Returns whether a name is valid for a key.
  public static func isValid(_ name: String) -> Bool {
    guard (1...maximumLength).contains(name.utf8.count) else { return false }
    // Looking up properties takes longer than all the rest of loading a flag's key.
    if name.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) { return true }
    return name.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII
        ? (0x21...0x7e).contains(scalar.value)
        : !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
    }
  }
}

extension FlagKey: Hashable {
  /// Returns whether two keys have the same name.
  public static func == (left: FlagKey, right: FlagKey) -> Bool { left.number == right.number }

  /// Feeds the key to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension FlagKey: Comparable {
  /// Returns whether the first key's name comes before the second's, by code points.
  public static func < (left: FlagKey, right: FlagKey) -> Bool {
    left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
  }
}

extension FlagKey: CustomStringConvertible {
  /// The key's name.
  public var description: String { name }
}

extension FlagKey: ExpressibleByStringLiteral {
  /// Creates a key from a literal in code, which must be valid.
  public init(stringLiteral name: StringLiteralType) {
    let literal = Interned.shared.literal(name)
    guard literal.entry.isValid else {
      preconditionFailure("\"\(name)\" is not a flag key: 1 to 1,024 bytes, no white space, no control characters")
    }
    self.init(literal.entry, slot: literal.slot)
  }
}

/// A name and its number, which live until the process ends.
///
/// Memory safety, hence `nonisolated(unsafe)`: the bytes are written in `init`, before any other thread can see the
/// entry, and afterwards only read. They are never freed, so a pointer to them stays valid.
@safe
private final class Entry: Sendable {
  let name: String
  let number: Int32
  /// Whether the name is valid for a flag: checked once, since code makes a key from a literal at each use.
  let isValid: Bool
  nonisolated(unsafe) let utf8: UnsafeBufferPointer<UInt8>

  init(name: String, number: Int32) {
    self.name = name
    self.number = number
    isValid = FlagKey.isValid(name)
    let utf8 = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: name.utf8.count)
    _ = unsafe utf8.initialize(from: name.utf8)
    unsafe self.utf8 = UnsafeBufferPointer(utf8)
  }
}

/// The parts of a declaration that affect the flag's value.
///
/// It contains the encoded default, and not the default itself, which may refer to objects.
private struct Declaration: Sendable {
  let type: Any.Type
  let value: FlagValue?
  let metadata: FlagMetadata
  let isComputed: Bool

  func isLike(_ other: Declaration) -> Bool {
    guard type == other.type, isComputed == other.isComputed, let value, let others = other.value else { return false }
    return value == others && metadata.resolvesLike(other.metadata)
  }
}

/// The names of all keys, which live until the process ends.
private final class Interned: Sendable {
  static let shared = Interned()

  private struct Name: Hashable {
    let text: String
    static func == (left: Name, right: Name) -> Bool { left.text.isIdentical(to: right.text) }
  }

  /// A name's entry, and the slot of the key as a literal in code, for flag types other than ``Flag``.
  typealias Literal = (entry: Entry, slot: Int32)

  private struct State {
    var entries: [Name: Literal] = [:]
    /// The declarations of each key, by the key's number.
    var declarations: [Int: [(declaration: Declaration, slot: Int32)]] = [:]
    var lastSlot = FlagKey.noSlot

    mutating func nextSlot() -> Int32 {
      lastSlot += 1
      return lastSlot
    }

    mutating func literal(_ name: Name) -> Literal {
      if let literal = entries[name] { return literal }
      let literal: Literal = (Entry(name: name.text, number: Int32(entries.count)), FlagKey.noSlot)
      entries[name] = literal
      return literal
    }
  }

  private let state = Locked(State())

  func entry(for name: String) -> Entry { state.withLock { $0.literal(Name(text: name)).entry } }

  /// Returns the entry of a name; nil if the name is invalid, and so has none or that of a provider's key.
  func validEntry(for name: String) -> Entry? {
    let known = state.withLock { $0.entries[Name(text: name)]?.entry }
    guard known?.isValid ?? FlagKey.isValid(name) else { return nil }
    return known ?? entry(for: name)
  }

  func literal(_ name: String) -> Literal {
    let name = Name(text: name)
    return state.withLock { state in
      var literal = state.literal(name)
      if literal.slot == FlagKey.noSlot {
        literal.slot = state.nextSlot()
        state.entries[name] = literal
      }
      return literal
    }
  }

  /// Returns the slot of a declaration, or ``noSlot`` if its key has too many.
  func slot(of declaration: Declaration, at index: Int) -> Int32 {
    state.withLock { state in
      let known = state.declarations[index, default: []]
      if let slot = known.first(where: { $0.declaration.isLike(declaration) })?.slot { return slot }
      guard known.count < FlagKey.maximumDeclarations else { return FlagKey.noSlot }
      let slot = state.nextSlot()
      state.declarations[index, default: []].append((declaration, slot))
      return slot
    }
  }
}
