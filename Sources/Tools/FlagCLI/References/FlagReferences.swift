import FlagDefinitions
import FlagDomain
import FlagReview
import Foundation

/// The declarations and reads of a program's flags.
struct FlagReferences {
  struct Flag {
    /// The flag's keys; several if its set is used in several groups, empty if only the compiler knows them.
    let keys: [String]
    /// The name in code, with its type; nil if no declaration was found.
    let title: String?
    let declaration: Place?
    let reads: [Read]
    let expires: CalendarDay?
    let owner: String?
    let isExpired: Bool
  }

  /// A place that reads a flag, or may read it.
  struct Read {
    let place: Place
    /// Whether the compiler's index confirms the read; otherwise only the name matches.
    let isCertain: Bool
  }

  struct Place: Hashable {
    let file: String
    let line: Int
    let column: Int
  }

  let flags: [Flag]
  /// Notes about source code that is not indexed, with the reasons, in sentences.
  let notes: [String]
}

extension FlagReferences.Flag {
  var isUnread: Bool { reads.isEmpty }
  /// Whether the flag has expired, but is still read, or may be.
  var isExpiredAndRead: Bool { isExpired && !reads.isEmpty }
}

struct ReferenceSearch {
  let sources: [String]
  /// The flags to search for; nil for all declared ones.
  let catalog: FlagManifest?
  let today: CalendarDay
  /// The compiler's index and the library that reads it, or the reason why one of them is missing.
  let index: Index

  enum Index {
    case store(String, library: String)
    case none(reason: String)
  }

  private struct Found {
    let declaration: DeclaredFlag?
    let entry: FlagManifest.Entry?
    let keys: [String]
  }

  func run(_ read: (String) throws(ToolError) -> Data) throws(ToolError) -> FlagReferences {
    let folder = try SourceFolder(sources)
    let found = try found(in: folder, read)
    let declarations = found.compactMap(\.declaration)
    let names = Set(declarations.map(\.name))
    var notes: [String] = []
    var indexed: [[SourcePlace]?] = declarations.map { _ in nil }
    var isIndexed = folder.files.map { _ in false }
    switch index {
    case .none(let reason): notes.append("\(reason), so reads were looked for by name, and may be of other things.")
    case .store(let store, let library):
      let index = try SourceIndex(of: folder.files, in: store, library, names: names.union(IndexedReads.names))
      indexed = IndexedReads(of: declarations, in: folder.files, index).places
      isIndexed = folder.files.map { index.occurrences[$0.realPath] != nil }
      notes += Self.notes(folder.files, isIndexed, index)
    }
    var named = NamedReads(names: names, keys: Set(found.flatMap(\.keys)))
    for (number, file) in folder.files.enumerated() { named.read(Array(try read(file.path)), file: number) }
    var places = indexed.makeIterator()
    return FlagReferences(
      flags: found.map { found in
        let certain = found.declaration == nil ? nil : places.next() ?? nil
        return flag(found, certain, named, isIndexed, folder.files)
      }, notes: notes)
  }

  private func flag(
    _ found: Found, _ certain: [SourcePlace]?, _ named: NamedReads, _ isIndexed: [Bool],
    _ files: [SourceFolder.File]
  ) -> FlagReferences.Flag {
    func place(_ place: SourcePlace) -> FlagReferences.Place {
      FlagReferences.Place(file: files[place.file].path, line: place.line, column: place.column)
    }
    // If the compiler's index knows the flag, names count only in files that are not indexed.
    let possible =
      found.declaration.map { flag in
        named.places(of: flag, keys: found.keys) { certain == nil || !isIndexed[$0] }
      } ?? found.keys.flatMap { named.keys[$0, default: []] }
    let reads =
      (certain ?? []).map { ($0, true) }
      + Set(possible).subtracting(certain ?? []).sorted().map { ($0, false) }
    let expires = found.entry?.expires ?? found.declaration?.expires
    return FlagReferences.Flag(
      keys: found.keys, title: found.declaration?.title, declaration: found.declaration.map { place($0.place) },
      reads: reads.map { FlagReferences.Read(place: place($0), isCertain: $1) }, expires: expires,
      owner: found.entry?.owner ?? found.declaration?.owner, isExpired: expires.map { $0 < today } ?? false)
  }

  private func found(
    in folder: SourceFolder, _ read: (String) throws(ToolError) -> Data
  ) throws(ToolError) -> [Found] {
    var (flags, sets): ([DeclaredFlag], [DeclaredSet]) = ([], [])
    for (number, file) in folder.files.enumerated() {
      let bytes = Array(try read(file.path))
      guard bytes.mentionsFlags else { continue }
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

  private static func notes(
    _ files: [SourceFolder.File], _ isIndexed: [Bool], _ index: SourceIndex
  ) -> [String] {
    func count(_ number: Int, _ verb: (String, String) = ("", "")) -> String {
      number == 1 ? "1 file\(verb.0)" : "\(number) files\(verb.1)"
    }
    let outdated = files.count { index.outdated.contains($0.realPath) }
    let unknown = zip(files, isIndexed).count { !$1 } - outdated
    var notes: [String] = []
    if outdated > 0 {
      notes.append("\(count(outdated)) changed since the last build; what is read there was looked for by name.")
    }
    if unknown > 0 {
      notes.append("\(count(unknown, (" is", " are"))) not in the index; what is read there was looked for by name.")
    }
    return notes
  }
}

extension [UInt8] {
  /// Whether the text may declare flags: every declaration names the type or the macro.
  fileprivate var mentionsFlags: Bool {
    let word = Array("Flag".utf8)
    var start = startIndex
    while let found = self[start...].firstIndex(of: word[0]) {
      if self[found...].starts(with: word) { return true }
      start = found + 1
    }
    return false
  }
}

extension String {
  /// The name without the differences between styles of keys: case, hyphens and underscores.
  fileprivate var foldedName: String { lowercased().filter { $0 != "-" && $0 != "_" } }
}
