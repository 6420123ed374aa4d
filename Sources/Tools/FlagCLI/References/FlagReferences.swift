import FlagDefinitions
import FlagDomain
import FlagFoundation
import FlagReview

/// The declarations and reads of a program's flags.
struct FlagReferences {
  struct Flag {
    /// The flag's keys; several if its set is used in several groups, empty if only the compiler knows them.
    let keys: [String]
    /// The name in code, with its type; nil if no declaration was found.
    let title: String?
    let declaration: Place?
    /// The places that may read it: they use its name or its key.
    let reads: [Place]
    let expires: CalendarDay?
    let owner: String?
    let isExpired: Bool
  }

  struct Place: Hashable {
    let file: String
    let line: Int
    let column: Int
  }

  let flags: [Flag]
}

extension FlagReferences.Flag {
  var isUnread: Bool { reads.isEmpty }
  /// Whether the flag has expired, but may still be read.
  var isExpiredAndRead: Bool { isExpired && !reads.isEmpty }
}

struct ReferenceSearch {
  let sources: [String]
  /// The flags to search for; nil for all declared ones.
  let catalog: FlagManifest?
  let today: CalendarDay

  private struct Found {
    let declaration: DeclaredFlag?
    let entry: FlagManifest.Entry?
    let keys: [String]
  }

  func run(_ read: (String) throws(ToolError) -> Data) throws(ToolError) -> FlagReferences {
    let folder = try SourceFolder(sources)
    let found = try found(in: folder, read)
    var named = NamedReads(
      names: Set(found.compactMap(\.declaration?.name)), keys: Set(found.flatMap(\.keys)))
    for (number, file) in folder.files.enumerated() { named.read(Array(try read(file.path)), file: number) }
    return FlagReferences(flags: found.map { flag($0, named, folder.files) })
  }

  private func flag(_ found: Found, _ named: NamedReads, _ files: [SourceFolder.File]) -> FlagReferences.Flag {
    func place(_ place: SourcePlace) -> FlagReferences.Place {
      FlagReferences.Place(file: files[place.file].path, line: place.line, column: place.column)
    }
    let reads = Set(named.places(of: found.declaration, keys: found.keys))
    let expires = found.entry?.expires ?? found.declaration?.expires
    return FlagReferences.Flag(
      keys: found.keys, title: found.declaration?.title, declaration: found.declaration.map { place($0.place) },
      reads: reads.sorted().map(place), expires: expires,
      owner: found.entry?.owner ?? found.declaration?.owner, isExpired: expires.map { $0 < today } ?? false)
  }

  private func found(
    in folder: SourceFolder, _ read: (String) throws(ToolError) -> Data
  ) throws(ToolError) -> [Found] {
    var (flags, sets): ([DeclaredFlag], [DeclaredSet]) = ([], [])
    for (number, file) in folder.files.enumerated() {
      let bytes = Array(try read(file.path))
      // Every declaration names the type or the macro.
      guard bytes.contains(Array("Flag".utf8)) else { continue }
      let reader = DeclarationReader(bytes, file: number)
      flags += reader.flags
      sets += reader.sets
    }
    return found(flags, sets)
  }

  /// Returns the flags to search for with their declarations, matched by key, or else by the end of the key.
  private func found(_ flags: [DeclaredFlag], _ sets: [DeclaredSet]) -> [Found] {
    let keys = flags.map { sets.possibleKeys(of: $0) }
    guard let catalog else {
      return zip(flags, keys).map { Found(declaration: $0, entry: nil, keys: $1) }
        .sorted { ($0.keys.first ?? $0.declaration?.title ?? "") < ($1.keys.first ?? $1.declaration?.title ?? "") }
    }
    var byKey: [String: [Int]] = [:]
    for (number, keys) in keys.enumerated() { for key in keys { byKey[key, default: []].append(number) } }
    var byName: [String: [Int]] = [:]
    for (number, flag) in flags.enumerated() where flag.key == nil {
      byName[flag.name.foldedName, default: []].append(number)
    }
    return catalog.entries.flatMap { entry -> [Found] in
      let last = entry.key.split(whereSeparator: { ".:/".contains($0) }).last.map(String.init) ?? entry.key
      let numbers = byKey[entry.key] ?? byName[last.foldedName] ?? []
      if numbers.isEmpty { return [Found(declaration: nil, entry: entry, keys: [entry.key])] }
      return numbers.map { Found(declaration: flags[$0], entry: entry, keys: [entry.key]) }
    }
  }
}

extension String {
  /// The name without the differences between styles of keys: case, hyphens and underscores.
  fileprivate var foldedName: String { lowercased().filter { $0 != "-" && $0 != "_" } }
}
