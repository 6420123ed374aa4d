package import FlagDefinitions
package import FlagDomain

extension FlagCatalog {
  /// Returns catalogs of the flags in a document, for tools without the code that declares the flags.
  ///
  /// A flag has the type of its variants, and the dot-separated components of its key are the names of its groups.
  /// Description, owner and day of expiry are read from `description`, `owner` and `expires` in the flag's metadata.
  ///
  /// Keys are never freed, so this is for programs that show documents, not for servers that serve them.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - name: The name of the catalog for flags whose keys name no group.
  /// - Returns: The top-level groups, in the order in which the document first names them.
  package static func catalogs(of document: any DefinitionDocument, named name: String) -> [FlagCatalog] {
    let flags = document.listed
    let items = DefinitionGroups(flags.map(\.key)).items { .flag(Self.flag(flags[$0])) }
    let alone = items.filter { if case .flag = $0 { true } else { false } }
    let groups = items.compactMap { if case .group(let group) = $0 { group } else { nil } }
    return (alone.isEmpty ? [] : [FlagCatalog(name, items: alone)]) + groups
  }

  private static func flag(_ listed: ListedFlag) -> any FeatureFlag {
    let values = listed.variants.map(\.value)
    let key = FlagKey(validating: listed.key) ?? FlagKey(providerName: listed.key)
    func flag<Value: Decodable & Sendable>(_ value: Value, _ suggestions: [FlagValue] = []) -> any FeatureFlag {
      Flag(key, default: value, FlagMetadata(of: listed, suggestions))
    }
    switch values.first {
    case .bool: return flag(false)
    case .string: return flag("", values)
    case .int where !listed.isFractional: return flag(0, values)
    case .int, .double: return flag(0.0, values)
    default: return flag(FlagValue.null)
    }
  }
}

extension DefinitionDocument {
  /// Returns whether catalogs of the document have the same flags as those of an older one.
  ///
  /// Most changes are of states and rules, and catalogs of thousands of flags take longer to make than to compare.
  package func listsSameFlags(as older: any DefinitionDocument) -> Bool {
    guard keys.elementsEqual(older.keys, by: { $0.isIdentical(to: $1) }) else { return false }
    return changedKeyList(from: older).allSatisfy { key in
      guard let new = listing(of: key), let old = older.listing(of: key) else { return false }
      return new.metadata == old.metadata && new.isFractional == old.isFractional
        && new.variants.map(\.name) == old.variants.map(\.name)
        && zip(new.variants, old.variants).allSatisfy { $0.value.isIdentical(to: $1.value) }
    }
  }
}

extension FlagMetadata {
  fileprivate init(of flag: ListedFlag, _ suggestions: [FlagValue]) {
    let texts = flag.metadata.compactMapValues(\.text)
    self.init(
      texts["description"] ?? "", displayName: String(flag.key.split(separator: ".").last ?? flag.key[...]),
      owner: texts["owner"], expires: texts["expires"].flatMap(CalendarDay.init(validating:)),
      presentation: FlagPresentation(suggestions: suggestions))
  }
}

/// A tree of keys in the groups that their components name, in order of first appearance.
private struct DefinitionGroups {
  private final class Node {
    var flags: [Int] = []
    var names: [String] = []
    var inner: [String: Node] = [:]
  }

  private let root = Node()

  init(_ keys: [String]) {
    for (index, key) in keys.enumerated() {
      // Groups are at most eight levels deep; the remaining components are part of the flag's name.
      let groups = key.split(separator: ".").dropLast().prefix(8).map(String.init)
      var node = root
      for group in groups {
        if node.inner[group] == nil { node.names.append(group) }
        let inner = node.inner[group] ?? Node()
        node.inner[group] = inner
        node = inner
      }
      node.flags.append(index)
    }
  }

  func items(_ flag: (Int) -> FlagCatalog.Item) -> [FlagCatalog.Item] { Self.items(root, flag) }

  private static func items(_ node: Node, _ flag: (Int) -> FlagCatalog.Item) -> [FlagCatalog.Item] {
    node.flags.map(flag)
      + node.names.compactMap { name in
        node.inner[name].map { .group(FlagCatalog(name, items: items($0, flag))) }
      }
  }
}
