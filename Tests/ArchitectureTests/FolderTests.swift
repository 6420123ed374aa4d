import Testing

@Suite("Folders of a target")
struct FolderTests {
  @Test("A folder uses of its siblings those that its row allows", arguments: FolderArrow.table)
  func keepsArrows(arrow: FolderArrow) throws {
    let references = try FolderReference.all(in: arrow.target).filter { $0.source == arrow.folder }
    for reference in references where !arrow.allowed.contains(reference.destination) {
      #expect(arrow.allowed.contains("\(reference.destination).\(reference.name)"), "\(reference)")
    }
  }

  @Test("Every folder has its row, and every row is needed", arguments: Set(FolderArrow.table.map(\.target)).sorted())
  func knowsFolders(target: String) throws {
    let rows = FolderArrow.table.filter { $0.target == target }
    let names = try Repository.swiftFiles(under: Repository.path(target)).map { try SwiftNames($0, in: target).folder }
    #expect(Set(names) == Set(rows.map(\.folder)))
    let references = try FolderReference.all(in: target)
    for row in rows {
      let used = references.filter { $0.source == row.folder }.map(\.destination)
      let unused = row.allowed.filter { !$0.contains(".") }.subtracting(used)
      #expect(unused.isEmpty, "\(row) may use \(unused.sorted()), and does not")
    }
  }

  @Test("Rows make no circle", arguments: Set(FolderArrow.table.map(\.target)).sorted())
  func hasNoCircles(target: String) {
    var rows = FolderArrow.table.filter { $0.target == target }
    while let index = rows.firstIndex(where: { row in rows.allSatisfy { !row.allowed.contains($0.folder) } }) {
      rows.remove(at: index)
    }
    #expect(rows.isEmpty)
  }

  @Test("Declarations and uses are found in the text")
  func readsNames() {
    let text = """
      import Foundation
      /// Not Comment.
      @frozen public struct Outer: Base {
        package enum Inner { case one }
        let other = Inner.Nested.self  // nor Remark
      }
      extension String {
        package static func quoted() -> Self { self.trimmed() }
        private var secret: Int { 0 }
      }
      #if os(Linux)
        struct Other {}
      #endif
      """
    let names = SwiftNames(text: text, file: "Outer.swift", folder: "A")
    #expect(names.types == ["Outer", "Inner", "Other"])
    #expect(names.outerTypes == ["Outer", "Other"])
    #expect(names.extensionMembers == ["String": ["quoted"]])
    #expect(names.usedTypes.isSuperset(of: ["Base", "Foundation", "Int"]))
    #expect(names.usedTypes.isDisjoint(with: ["Comment", "Remark", "Nested"]))
    #expect(names.usedMembers == ["Nested", "self", "trimmed"])
  }
}

/// The siblings that a folder of a target may use: folders, or single names in them.
struct FolderArrow: CustomTestStringConvertible, Sendable {
  let target: String
  let folder: String
  let allowed: Set<String>

  var testDescription: String { "\(target)/\(folder)" }

  /// The folder of files at the top of a target.
  static let root = "top"

  static let table = [
    FolderArrow("FlagDefinitions", "Rules"),
    FolderArrow("FlagDefinitions", "Bucketing", "Rules"),
    FolderArrow("FlagDefinitions", "Program", "Rules"),
    FolderArrow("FlagDefinitions", "Evaluation", "Bucketing", "Program", "Rules"),
    FolderArrow("FlagDefinitions", "Compiling", "Evaluation", "Program", "Rules"),
    FolderArrow("FlagDefinitions", "Documents", "Bucketing", "Compiling", "Evaluation", "Program", "Rules"),
    FolderArrow("FlagDefinitions", "Formats", "Bucketing", "Documents", "Evaluation", "Program", "Rules"),
    FolderArrow("FlagDefinitions", "Stores", "Documents", "Formats"),

    FolderArrow("FlagProviders", "Values"),
    FolderArrow("FlagProviders", "Definitions", "Values"),
    FolderArrow("FlagProviders", "Local", "Values"),
    FolderArrow("FlagProviders", "Overrides"),
    FolderArrow("FlagProviders", "Users", "Values"),
    FolderArrow("FlagProviders", "Wrappers"),

    FolderArrow("FlagServices", "Cache"),
    FolderArrow("FlagServices", "Following", "Cache"),
    FolderArrow("FlagServices", "Remote", "Cache", "Following"),

    // A flag's value names the errors of reading it, an error the flag's key, a key reads from a value.
    FolderArrow("FlagDomain", "Concurrency"),
    FolderArrow("FlagDomain", "Calendar"),
    FolderArrow("FlagDomain", "Text"),
    FolderArrow("FlagDomain", "Values", "Resolution.FlagError"),
    FolderArrow("FlagDomain", "Resolution", "Values", "Flags.FlagKey"),
    FolderArrow("FlagDomain", "Users", "Changes.FlagSubscription", "Resolution", "Values"),
    FolderArrow("FlagDomain", "Flags", "Calendar", "Concurrency", "Resolution", "Sets.FlagPath", "Users", "Values"),
    FolderArrow("FlagDomain", "Changes", "Concurrency", "Flags", "Values"),
    FolderArrow("FlagDomain", "Experiments", "Flags", "Resolution", "Users", "Values"),
    FolderArrow(
      "FlagDomain", "Ports", "Changes", "Concurrency", "Experiments", "Flags", "Resolution", "Users", "Values"),
    FolderArrow("FlagDomain", "Sets", "Changes", "Concurrency", "Flags", "Ports", "Resolution", "Users", "Values"),

    // A thread's copy of the state is cached, and keys in providers may fail as the client's creation does.
    FolderArrow("FlagComposition", "Cached", "State.FlagState"),
    FolderArrow("FlagComposition", "State", "Cached", "Client.FeatureFlagClientError"),
    FolderArrow("FlagComposition", "Managers", "Cached", "State"),
    FolderArrow("FlagComposition", "Writing", "Managers", "State"),
    FolderArrow("FlagComposition", "Client", "Writing", "Managers", "State"),
    FolderArrow("FlagComposition", "Apple", "Client"),
  ]

  private init(_ target: String, _ folder: String, _ allowed: String...) {
    self.target = target
    self.folder = folder
    self.allowed = Set(allowed)
  }
}

/// A name of one folder that a file of a sibling uses.
struct FolderReference: CustomStringConvertible {
  let source: String
  let destination: String
  let name: String
  let file: String

  var description: String { "\(file) uses \(name) of \(destination)" }

  /// Returns the names that only one folder declares: types, and members in extensions of other types.
  ///
  /// A member counts if no other folder of the target declares a member of that name.
  static func all(in target: String) throws -> [FolderReference] { try byTarget[target]?.get() ?? [] }

  /// Those of every target with a table; each file is read once.
  private static let byTarget = Dictionary(
    uniqueKeysWithValues: Set(FolderArrow.table.map(\.target)).map { target in
      (target, Result { try read(target) })
    })

  private static func read(_ target: String) throws -> [FolderReference] {
    let files = try Repository.swiftFiles(under: Repository.path(target)).map { try SwiftNames($0, in: target) }
    let ownTypes = files.reduce(into: Set<String>()) { $0.formUnion($1.outerTypes) }
    var types: [String: Set<String>] = [:]
    var members: [String: Set<String>] = [:]
    var candidates: Set<String> = []
    for file in files {
      for type in file.outerTypes { types[type, default: []].insert(file.folder) }
      for member in file.members { members[member, default: []].insert(file.folder) }
      for (type, names) in file.extensionMembers where !ownTypes.contains(type) { candidates.formUnion(names) }
    }
    return files.flatMap { file -> [FolderReference] in
      let used =
        file.usedTypes.subtracting(file.types).map { ($0, types[$0]) }
        + file.usedMembers.intersection(candidates).map { ($0, members[$0]) }
      return used.compactMap { name, folders in
        guard let folders, folders.count == 1, let folder = folders.first, folder != file.folder else { return nil }
        return FolderReference(source: file.folder, destination: folder, name: name, file: file.path)
      }
    }
  }
}
