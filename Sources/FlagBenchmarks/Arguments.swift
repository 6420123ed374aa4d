/// What the program was asked to do.
struct Arguments {
  /// Whether the report is JSON, printed at the end, and not a table.
  private(set) var isJSON = false
  /// What the names of the measures begin with.
  private(set) var prefix = ""
}

extension Arguments {
  /// Reads the words of a command line, the program's name left out.
  init(_ words: some Sequence<String>) throws(UsageError) {
    var words = words.makeIterator()
    while let word = words.next() {
      switch word {
      case "--json": isJSON = true
      case "--only":
        guard let prefix = words.next() else { throw UsageError(message: "--only needs the beginning of a name") }
        self.prefix = prefix
      default: throw UsageError(message: "unknown argument \(word)")
      }
    }
  }

  /// How the program is called.
  static let usage = "usage: FlagBenchmarks [--json] [--only PREFIX]"
}

/// A command line that means nothing.
struct UsageError: Error {
  let message: String
}
