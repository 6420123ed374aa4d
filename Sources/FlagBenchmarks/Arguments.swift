/// What the program was asked to do.
struct Arguments {
  /// Whether the report is JSON, printed at the end, and not a table.
  private(set) var isJSON = false
  /// Whether what misses its limits is an error.
  private(set) var isCheck = false
  /// What the names of the measures begin with.
  private(set) var prefix = ""
  /// The document whose loading is to be measured in this process, which does nothing else; or nil.
  private(set) var loadedFile: String?
  /// How many hostile documents are to be used instead, or nil.
  private(set) var hostileDocuments: Int?
  /// What hostile documents are made from.
  private(set) var seed: UInt64 = 0
}

extension Arguments {
  /// Reads the words of a command line, the program's name left out.
  init(_ words: some Sequence<String>) throws(UsageError) {
    var words = words.makeIterator()
    while let word = words.next() {
      switch word {
      case "--json": isJSON = true
      case "--check": isCheck = true
      case "--only":
        guard let prefix = words.next() else { throw UsageError(message: "--only needs the beginning of a name") }
        self.prefix = prefix
      case "--load":
        guard let file = words.next() else { throw UsageError(message: "--load needs a file") }
        loadedFile = file
      case "--hostile": hostileDocuments = try Self.number(words.next(), of: word)
      case "--seed": seed = UInt64(try Self.number(words.next(), of: word))
      default: throw UsageError(message: "unknown argument \(word)")
      }
    }
  }

  /// How the program is called.
  static let usage =
    "usage: FlagBenchmarks [--json] [--check] [--only PREFIX] | --load FILE | --hostile COUNT [--seed NUMBER]"

  private static func number(_ text: String?, of option: String) throws(UsageError) -> Int {
    guard let number = text.flatMap({ Int($0) }), number >= 0 else {
      throw UsageError(message: "\(option) needs a number from 0 on")
    }
    return number
  }
}

/// A command line that means nothing.
struct UsageError: Error {
  let message: String
}
