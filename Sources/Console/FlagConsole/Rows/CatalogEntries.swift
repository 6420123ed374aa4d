import FlagDomain
import FlagSupport

/// The flags of catalogs in display order, with everything about them that needs no provider.
struct CatalogEntries: Sendable {
  private(set) var all: [Entry] = []
  /// The groups that a list can be narrowed to, in order: top-level groups and those with a list of their own.
  private(set) var groups: [FlagGroupName] = []
  private var indices: [String: Int] = [:]
  private var outlines: [[String]: Outline] = [:]

  /// The name and metadata of a group.
  struct Outline: Sendable {
    let name: FlagGroupName
    let metadata: FlagMetadata
  }

  /// A group and the properties that it inherits from its enclosing groups.
  struct Group: Sendable {
    let name: FlagGroupName
    /// The path lengths of the groups on the way here that have a list of their own.
    let ownLists: [Int]
    /// Whether the group or an enclosing group is internal.
    let isInternal: Bool
    /// Whether the group or an enclosing group is locked.
    let isLocked: Bool
  }

  /// A flag and its searchable text.
  struct Entry: Sendable {
    let flag: any FeatureFlag
    let group: Group
    /// Whether the flag or an enclosing group is internal.
    let isInternal: Bool
    /// Whether the flag or an enclosing group is locked.
    let isLocked: Bool
    let title: String
    let dataType: FlagDataType
    let control: FlagControl
    /// The names, keys and descriptions of the flag and its groups, folded for search, in UTF-8.
    let searchText: [UInt8]
  }

  init(_ catalogs: [FlagCatalog]) {
    for catalog in catalogs.inOrder {
      add(
        catalog,
        under: Group(name: FlagGroupName(path: [], titles: []), ownLists: [], isInternal: false, isLocked: false), "")
    }
    for (index, entry) in all.enumerated() { indices[entry.flag.key.name] = index }
  }

  /// Returns the flag of a key.
  subscript(key: String) -> Entry? { indices[key].map { all[$0] } }

  func outline(of group: [String]) -> Outline? { outlines[group] }

  private mutating func add(_ catalog: FlagCatalog, under outer: Group, _ searchText: String) {
    let group = outer.inner(catalog)
    if outlines[group.name.path] == nil {
      outlines[group.name.path] = Outline(name: group.name, metadata: catalog.metadata)
      if group.name.path.count == 1 || catalog.hasOwnList { groups.append(group.name) }
    }
    let searchText =
      searchText + " " + "\(catalog.name) \(catalog.title) \(catalog.metadata.description)".foldedForSearch
    for item in catalog.items.inOrder {
      switch item {
      case .flag(let flag): all.append(Entry(flag, in: group, searchText))
      case .group(let inner): add(inner, under: group, searchText)
      }
    }
  }
}

extension CatalogEntries.Group {
  fileprivate func inner(_ catalog: FlagCatalog) -> Self {
    let name = FlagGroupName(path: name.path + [catalog.name], titles: name.titles + [catalog.title])
    return Self(
      name: name, ownLists: catalog.hasOwnList ? ownLists + [name.path.count] : ownLists,
      isInternal: isInternal || catalog.metadata.isInternal, isLocked: isLocked || catalog.metadata.isLocked)
  }
}

extension CatalogEntries.Entry {
  fileprivate init(_ flag: any FeatureFlag, in group: CatalogEntries.Group, _ groupText: String) {
    let metadata = flag.metadata
    self.flag = flag
    self.group = group
    isInternal = metadata.isInternal || group.isInternal
    isLocked = metadata.isLocked || group.isLocked
    title = metadata.displayName ?? flag.key.name
    dataType = flag.dataType
    control = FlagControl(of: flag, dataType)
    let owner = metadata.owner.map { " \($0)" } ?? ""
    searchText = Array(("\(title) \(flag.key) \(metadata.description)\(owner)".foldedForSearch + groupText).utf8)
  }

  /// Returns the owner: the one in the code, or else the one in the definition.
  func owner(_ facts: DefinitionFacts) -> String? { flag.metadata.owner ?? facts.owners[flag.key.name] }

  /// Returns the reasons why the flag may have done its work.
  func staleness(_ facts: DefinitionFacts, _ today: CalendarDay?, unread: Set<String>) -> [FlagStaleness] {
    let isExpired = today.flatMap { today in flag.metadata.expires.map { $0 < today } } ?? false
    let isUnread = unread.contains(flag.key.name)
    return (isExpired ? [.expired] : []) + [facts.staleness[flag.key.name]].compactMap { $0 }
      + (isUnread ? [.unread] : [])
  }
}

extension [FlagCatalog] {
  fileprivate var inOrder: [FlagCatalog] { sorted { $0.metadata.order < $1.metadata.order } }
}

extension [FlagCatalog.Item] {
  fileprivate var inOrder: [FlagCatalog.Item] { sorted { $0.order < $1.order } }
}

extension FlagCatalog.Item {
  fileprivate var order: Int {
    switch self {
    case .flag(let flag): flag.metadata.order
    case .group(let group): group.metadata.order
    }
  }
}

extension FlagCatalog {
  fileprivate var title: String { metadata.displayName ?? name }

  /// Whether it is shown as a row that leads to a list of its own.
  fileprivate var hasOwnList: Bool { metadata.presentation.groupStyle == .navigation }
}

extension [UInt8] {
  package func includes(_ word: [UInt8]) -> Bool {
    guard let first = word.first else { return true }
    // Both pointers are used only inside the closures, and the loop keeps the word within the text.
    return unsafe withUnsafeBytes { text in
      unsafe word.withUnsafeBytes { word in
        guard let start = text.baseAddress, let sought = word.baseAddress else { return false }
        var offset = 0
        while offset <= text.count - word.count {
          let places = text.count - word.count - offset + 1
          guard let found = unsafe memchr(start + offset, Int32(first), places) else { break }
          if unsafe memcmp(found, sought, word.count) == 0 { return true }
          offset = unsafe UnsafeRawPointer(found) - start + 1
        }
        return false
      }
    }
  }
}

extension String {
  /// The text without case, accents and character width, which search ignores.
  package var foldedForSearch: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return lowercased() }
    // By way of capitals, so that "ß" is "ss".
    var text = ""
    for scalar in uppercased().lowercased().unicodeScalars where !(0x300..<0x370).contains(scalar.value) {
      text.unicodeScalars.append(scalar.letter)
    }
    return text
  }
}

extension Unicode.Scalar {
  /// The letter of one that has accents, or full width: by its name, such as `LATIN SMALL LETTER E WITH ACUTE`.
  fileprivate var letter: Unicode.Scalar {
    switch value {
    case ..<0x80: return self
    case 0xFF01...0xFF5E: return Unicode.Scalar(value - 0xFEE0) ?? self
    default:
      guard let name = properties.name, let accents = name.firstRange(of: " WITH ") else {
        return Self.letters[self] ?? self
      }
      return Self.namedLetters[String(name[..<accents.lowerBound])] ?? self
    }
  }

  /// The letters of Latin, Greek and Cyrillic, by their names.
  private static let namedLetters: [String: Unicode.Scalar] = {
    let letters = "abcdefghijklmnopqrstuvwxyzαβγδεζηθικλμνξοπρσςτυφχψωабвгдежзийклмнопрстуфхцчшщъыьэюя".unicodeScalars
    return Dictionary(
      uniqueKeysWithValues: letters.compactMap { letter in letter.properties.name.map { ($0, letter) } })
  }()

  /// The letters of those whose names do not say it.
  private static let letters = Dictionary(uniqueKeysWithValues: zip("йёїўѓќ".unicodeScalars, "иеіугк".unicodeScalars))
}
