import FlagDomain
import Foundation

/// The flags of catalogs in the order in which they are shown, with what is known of them without asking anyone.
struct CatalogEntries: Sendable {
  private(set) var all: [Entry] = []
  /// The outermost groups, in order.
  private(set) var groups: [FlagGroupName] = []
  private var indices: [String: Int] = [:]

  /// A flag, and what is searched of it.
  struct Entry: Sendable {
    let flag: any FeatureFlag
    let groups: [String]
    let title: String
    let dataType: FlagDataType
    let editor: FlagEditor
    /// The names, keys and descriptions of the flag and its groups, folded, in UTF-8.
    let searchText: [UInt8]
  }

  init(_ catalogs: [FlagCatalog]) {
    for catalog in catalogs.inOrder {
      groups.append(FlagGroupName(name: catalog.name, title: catalog.title))
      add(catalog, under: [], searchText: "")
    }
    for (index, entry) in all.enumerated() { indices[entry.flag.key.name] = index }
  }

  /// Returns the flag of a key.
  subscript(key: String) -> Entry? { indices[key].map { all[$0] } }
}

extension CatalogEntries {
  private mutating func add(_ group: FlagCatalog, under groups: [String], searchText: String) {
    let groups = groups + [group.title]
    let searchText = searchText + " " + "\(group.name) \(group.title) \(group.metadata.description)".foldedForSearch
    for item in group.items.inOrder {
      switch item {
      case .flag(let flag): all.append(Entry(flag, in: groups, searchText))
      case .group(let inner): add(inner, under: groups, searchText: searchText)
      }
    }
  }
}

extension CatalogEntries.Entry {
  fileprivate init(_ flag: any FeatureFlag, in groups: [String], _ groupText: String) {
    let metadata = flag.metadata
    self.flag = flag
    self.groups = groups
    title = metadata.displayName ?? flag.key.name
    dataType = flag.dataType
    editor = FlagEditor(of: flag, dataType)
    let owner = metadata.owner.map { " \($0)" } ?? ""
    searchText = Array(("\(title) \(flag.key) \(metadata.description)\(owner)".foldedForSearch + groupText).utf8)
  }
}

extension [FlagCatalog] {
  fileprivate var inOrder: [FlagCatalog] { stablySorted { $0.metadata.order } }
}

extension [FlagCatalog.Item] {
  fileprivate var inOrder: [FlagCatalog.Item] {
    stablySorted { item in
      switch item {
      case .flag(let flag): flag.metadata.order
      case .group(let group): group.metadata.order
      }
    }
  }
}

extension Array {
  /// Returns the elements by their order, and by where they are declared where that is the same.
  fileprivate func stablySorted(by order: (Element) -> Int) -> [Element] {
    enumerated().map { (order($1), $0, $1) }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
  }
}

extension FlagCatalog {
  /// The name that people see.
  fileprivate var title: String { metadata.displayName ?? name }
}

extension [UInt8] {
  /// Returns whether the bytes of a word occur one after the other.
  func includes(_ word: [UInt8]) -> Bool {
    guard let first = word.first else { return true }
    // Both buffers are read while the closures run, and not kept; the word fits behind each offset that is looked at.
    return withUnsafeBytes { text in
      word.withUnsafeBytes { word in
        guard let start = text.baseAddress, let sought = word.baseAddress else { return false }
        var offset = 0
        while offset <= text.count - word.count {
          guard let found = memchr(start + offset, Int32(first), text.count - word.count - offset + 1) else { break }
          if memcmp(found, sought, word.count) == 0 { return true }
          offset = UnsafeRawPointer(found) - start + 1
        }
        return false
      }
    }
  }
}

extension String {
  /// The text without what search does not look at: case, accents, and the width of characters.
  var foldedForSearch: String {
    folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
  }
}
