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
    // Groups are at most eight levels deep; the remaining components are part of the flag's name.
    let items = items(document.listed.map { ($0.key.split(separator: ".").dropLast().prefix(8), $0) })
    let alone = items.filter { if case .flag = $0 { true } else { false } }
    let groups = items.compactMap { if case .group(let group) = $0 { group } else { nil } }
    return (alone.isEmpty ? [] : [FlagCatalog(name, items: alone)]) + groups
  }

  /// Returns flags with the rest of their paths: those without one, then the groups in order of first appearance.
  private static func items(_ flags: [(path: ArraySlice<Substring>, flag: ListedFlag)]) -> [FlagCatalog.Item] {
    var (items, names) = ([FlagCatalog.Item](), [String]())
    var groups: [String: [(path: ArraySlice<Substring>, flag: ListedFlag)]] = [:]
    for (path, flag) in flags {
      if let name = path.first.map(String.init) {
        if groups[name] == nil { names.append(name) }
        groups[name, default: []].append((path.dropFirst(), flag))
      } else {
        items.append(.flag(Self.flag(flag)))
      }
    }
    return items + names.map { .group(FlagCatalog($0, items: Self.items(groups[$0] ?? []))) }
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
