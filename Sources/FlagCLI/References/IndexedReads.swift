struct IndexedReads {
  /// The places where each declaration is read; nil for one whose file the index does not have.
  let places: [[SourcePlace]?]

  /// Finds the reads; a declaration's file is the number of one of the files.
  init(of declarations: [DeclaredFlag], in files: [SourceFolder.File], _ index: SourceIndex) {
    let finder = SymbolFinder(files.map { index.occurrences[$0.realPath] ?? [] })
    var numbers: [String: Int] = [:]
    var isKnown: [Bool] = []
    for (number, declaration) in declarations.enumerated() {
      let symbols = finder.symbols(of: declaration)
      isKnown.append(!symbols.isEmpty)
      for symbol in symbols { numbers[symbol] = number }
    }
    // A property that only hands on a flag's value is the flag under another symbol.
    for (symbol, number) in finder.forwarders(of: numbers, declarations) { numbers[symbol] = number }
    let reads = finder.reads(of: numbers, declarations)
    places = isKnown.enumerated().map { number, isKnown in isKnown ? (reads[number] ?? []).sorted() : nil }
  }

  /// The names of symbols that are looked at beside those of flags.
  static let names: Set<String> = ["Flags", "FlagCatalog"]
}

private struct SymbolFinder {
  typealias Occurrence = SourceIndex.Occurrence

  private let files: [[Occurrence]]
  /// What a symbol that is defined here belongs to.
  private var parents: [String: (name: String, symbol: String)] = [:]
  private var properties: [String: String] = [:]
  private var catalogs: Set<String> = []

  init(_ files: [[Occurrence]]) {
    self.files = files
    for occurrence in files.joined() {
      for relation in occurrence.relations {
        if occurrence.roles.contains(.definition), relation.roles.contains(.childOf) {
          parents[occurrence.symbol] = (relation.name, relation.symbol)
        }
        if relation.roles.contains(.accessorOf) { properties[occurrence.symbol] = relation.symbol }
        if occurrence.name == "FlagCatalog", relation.roles.contains(.containedBy), !relation.name.contains("(") {
          catalogs.insert(relation.symbol)
        }
      }
    }
  }

  /// Returns the symbols that are a flag: its property, and those that the macro makes of it.
  func symbols(of declaration: DeclaredFlag) -> Set<String> {
    let (occurrences, place) = (files[declaration.place.file], declaration.place)
    let definition = occurrences.first { occurrence in
      occurrence.roles.contains(.definition) && occurrence.name == declaration.name && occurrence.line == place.line
        && occurrence.column == place.column
    }
    guard let symbol = definition?.symbol else { return [] }
    guard declaration.isMacro, let set = parents[symbol]?.symbol else { return [symbol] }
    var owners: Set = [set]
    for occurrence in occurrences where occurrence.name == "Flags" && occurrence.roles.contains(.definition) {
      if parents[occurrence.symbol]?.symbol == set { owners.insert(occurrence.symbol) }
    }
    var symbols: Set = [symbol]
    for occurrence in occurrences where occurrence.roles.contains([.definition, .implicit]) {
      guard [declaration.name, "$\(declaration.name)"].contains(occurrence.name),
        let owner = parents[occurrence.symbol]?.symbol, owners.contains(owner)
      else { continue }
      symbols.insert(occurrence.symbol)
    }
    return symbols
  }

  /// Returns the properties of the flags' own types that have a flag's name, and read it.
  func forwarders(of numbers: [String: Int], _ declarations: [DeclaredFlag]) -> [String: Int] {
    var forwarders: [String: Int] = [:]
    for occurrence in files.joined() {
      guard let number = numbers[occurrence.symbol], isReference(occurrence),
        let symbol = forwarder(around: occurrence, declarations[number]), numbers[symbol] == nil
      else { continue }
      forwarders[symbol] = number
    }
    return forwarders
  }

  func reads(of numbers: [String: Int], _ declarations: [DeclaredFlag]) -> [Int: Set<SourcePlace>] {
    var reads: [Int: Set<SourcePlace>] = [:]
    for (file, occurrences) in files.enumerated() {
      for occurrence in occurrences {
        guard let number = numbers[occurrence.symbol], isReference(occurrence),
          forwarder(around: occurrence, declarations[number]) == nil,
          !containers(of: occurrence).contains(where: { catalogs.contains($0.symbol) })
        else { continue }
        reads[number, default: []].insert(
          SourcePlace(file: file, line: occurrence.line, column: occurrence.column))
      }
    }
    return reads
  }

  /// Whether someone wrote the name there, not a macro or the compiler.
  private func isReference(_ occurrence: Occurrence) -> Bool {
    occurrence.roles.contains(.reference) && !occurrence.roles.contains(.implicit)
  }

  private func containers(of occurrence: Occurrence) -> [(name: String, symbol: String)] {
    occurrence.relations.filter { $0.roles.contains(.containedBy) }.map { ($0.name, $0.symbol) }
  }

  /// Returns the property of the flag's own type, of the flag's name, in whose code an occurrence is; else nil.
  private func forwarder(around occurrence: Occurrence, _ declaration: DeclaredFlag) -> String? {
    for container in containers(of: occurrence) where container.name.propertyName == declaration.name {
      let property = properties[container.symbol] ?? container.symbol
      if let type = declaration.type, parents[property]?.name == type { return property }
    }
    return nil
  }
}
