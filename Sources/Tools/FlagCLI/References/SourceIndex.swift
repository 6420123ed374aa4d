import FlagIndexStore
import Foundation

/// The compiler's index of files from their last build: the symbols and their places.
struct SourceIndex {
  struct Occurrence {
    let line: Int
    let column: Int
    let name: String
    let symbol: String
    let roles: Roles
    /// The symbols that contain it, or that it belongs to.
    var relations: [(roles: Roles, name: String, symbol: String)] = []
  }

  /// The roles of a symbol at a place, with the library's raw values.
  struct Roles: OptionSet {
    let rawValue: UInt64
    static let definition = Roles(rawValue: 1 << 1)
    static let reference = Roles(rawValue: 1 << 2)
    static let implicit = Roles(rawValue: 1 << 8)
    static let childOf = Roles(rawValue: 1 << 9)
    static let accessorOf = Roles(rawValue: 1 << 15)
    static let containedBy = Roles(rawValue: 1 << 16)
  }

  /// The symbols of each file whose build is newer than the file, by the requested paths.
  private(set) var occurrences: [String: [Occurrence]] = [:]
  private(set) var outdated: Set<String> = []
}

extension SourceIndex {
  /// Reads the index of files by the toolchain's libIndexStore, from the folder that the compiler received as
  /// `-index-store-path`.
  ///
  /// The names are those of the wanted symbols; their accessors, and the same names with a dollar sign, are read, too.
  init(
    of files: [SourceFolder.File], in store: String, _ library: String, names: Set<String>
  ) throws(ToolError) {
    var functions = flag_index()
    if let problem = flag_index_load(library, &functions) {
      throw .data("\(library): cannot be used to read an index: \(String(cString: problem))")
    }
    var error: UnsafeMutableRawPointer?
    guard let handle = functions.store_create(store, &error), FileManager.default.fileExists(atPath: store + "/v5")
    else {
      let message = error.flatMap { functions.error_description($0) }.map { String(cString: $0) }
      throw .data("\(store): is no index of a compiler: \(message ?? "there is no folder v5 in it")")
    }
    defer { functions.store_dispose(handle) }
    let reader = IndexReader(functions, handle, files, names)
    reader.readUnits()
    occurrences = reader.occurrences
    outdated = reader.outdated
  }
}

/// A reader of an index store, whose C functions pass each element to a closure.
private final class IndexReader {
  private(set) var occurrences: [String: [SourceIndex.Occurrence]] = [:]
  private(set) var outdated: Set<String> = []
  private let functions: flag_index
  private let store: UnsafeMutableRawPointer
  private let files: [String: SourceFolder.File]
  private let wanted: Set<String>
  private var real: [String: String] = [:]
  private var records: Set<String> = []
  private var relations: [(roles: SourceIndex.Roles, name: String, symbol: String)] = []
  private var read: [SourceIndex.Occurrence] = []
  private var names: [String] = []

  init(_ functions: flag_index, _ store: UnsafeMutableRawPointer, _ files: [SourceFolder.File], _ names: Set<String>) {
    self.functions = functions
    wanted = names
    self.store = store
    self.files = Dictionary(files.map { ($0.realPath, $0) }) { first, _ in first }
  }

  private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// Returns the reader that a closure received as its context, which is alive while its functions run.
  private static func reader(_ context: UnsafeMutableRawPointer?) -> IndexReader? {
    context.map { Unmanaged<IndexReader>.fromOpaque($0).takeUnretainedValue() }
  }

  func readUnits() {
    _ = functions.units_apply(store, 0, context) { context, name in
      IndexReader.reader(context)?.names.append(String(name))
      return true
    }
    for name in names { readUnit(name) }
    // A file may have been built twice, one time since it was modified.
    outdated.subtract(occurrences.keys)
  }

  private func readUnit(_ name: String) {
    guard let unit = functions.unit_create(store, name, nil) else { return }
    defer { functions.unit_dispose(unit) }
    var path = String(functions.unit_main_file(unit))
    guard !path.isEmpty else { return }
    if !path.hasPrefix("/") { path = "\(String(functions.unit_folder(unit)))/\(path)" }
    guard let file = files[path] ?? files[resolved(path)] else { return }
    var (seconds, nanoseconds) = (Int64(0), Int64(0))
    guard !functions.unit_time(store, name, &seconds, &nanoseconds, nil) else { return }
    // File systems have coarse clocks: a file that was modified just before its build counts as built.
    guard Double(seconds) + Double(nanoseconds) / 1e9 >= file.modified else {
      outdated.insert(file.realPath)
      return
    }
    names = []
    _ = functions.unit_dependencies_apply(unit, context) { context, dependency in
      guard let reader = IndexReader.reader(context) else { return false }
      if reader.functions.dependency_kind(dependency) == 2 {
        let path = String(reader.functions.dependency_path(dependency))
        if path.hasSuffix(".swift") { reader.names.append(String(reader.functions.dependency_name(dependency))) }
      }
      return true
    }
    if occurrences[file.realPath] == nil { occurrences[file.realPath] = [] }
    for record in names where records.insert(record).inserted { readRecord(record, of: file) }
  }

  private func readRecord(_ name: String, of file: SourceFolder.File) {
    guard let record = functions.record_create(store, name, nil) else { return }
    defer { functions.record_dispose(record) }
    read = []
    _ = functions.occurrences_apply(record, context) { context, occurrence in
      guard let reader = IndexReader.reader(context), let occurrence else { return false }
      reader.read(occurrence)
      return true
    }
    occurrences[file.realPath, default: []] += read
  }

  private func read(_ occurrence: UnsafeMutableRawPointer) {
    var (line, column) = (UInt32(0), UInt32(0))
    functions.occurrence_place(occurrence, &line, &column)
    guard let symbol = functions.occurrence_symbol(occurrence) else { return }
    let name = String(functions.symbol_name(symbol))
    guard wanted.contains(name.propertyName) else { return }
    relations = []
    _ = functions.relations_apply(occurrence, context) { context, relation in
      guard let reader = IndexReader.reader(context), let symbol = reader.functions.relation_symbol(relation) else {
        return false
      }
      reader.relations.append(
        (
          SourceIndex.Roles(rawValue: reader.functions.relation_roles(relation)),
          String(reader.functions.symbol_name(symbol)), String(reader.functions.symbol_usr(symbol))
        ))
      return true
    }
    read.append(
      SourceIndex.Occurrence(
        line: Int(line), column: Int(column), name: name,
        symbol: String(functions.symbol_usr(symbol)),
        roles: SourceIndex.Roles(rawValue: functions.occurrence_roles(occurrence)), relations: relations))
  }

  private func resolved(_ path: String) -> String {
    if let known = real[path] { return known }
    var result = path
    if let pointer = realpath(path, nil) {
      result = String(cString: pointer)
      free(pointer)
    }
    real[path] = result
    return result
  }
}

extension String {
  /// The name of the property that an accessor or a bound flag belongs to.
  var propertyName: String {
    let name = hasPrefix("getter:") ? dropFirst("getter:".count) : self[...]
    return String(name.hasPrefix("$") ? name.dropFirst() : name)
  }

  /// Copies text that the library owns.
  fileprivate init(_ text: flag_index_text) {
    let bytes = UnsafeRawBufferPointer(start: text.data, count: text.length)
    self.init(decoding: bytes, as: UTF8.self)
  }
}
