/// The arguments of the program.
struct Arguments {
  /// Whether the report is JSON at the end, instead of a table.
  private(set) var isJSON = false
  /// Whether a measure that misses its limits is an error.
  private(set) var isCheck = false
  /// The prefix of the names of measures to run.
  private(set) var prefix = ""
  /// The document to load in this process to measure its memory, without any other work; or nil.
  private(set) var loadedFile: String?
  /// The kind of that file.
  private(set) var loadedKind = PeakMemory.Kind.definitions
  /// The number of hostile documents to use instead, or nil.
  private(set) var hostileDocuments: Int?
  /// The seed of the hostile documents.
  private(set) var seed: UInt64 = 0
}

extension Arguments {
  /// Parses the words of a command line, without the program's name.
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
        guard let kind = words.next().map({ PeakMemory.Kind(rawValue: $0) }) ?? .definitions else {
          throw UsageError(message: "--load needs a kind of file")
        }
        (loadedFile, loadedKind) = (file, kind)
      case "--hostile": hostileDocuments = try Self.number(words.next(), of: word)
      case "--seed": seed = UInt64(try Self.number(words.next(), of: word))
      default: throw UsageError(message: "unknown argument \(word)")
      }
    }
  }

  /// The usage message.
  static let usage =
    "usage: FlagBenchmarks [--json] [--check] [--only PREFIX] | --load FILE KIND | --hostile COUNT [--seed NUMBER]"

  private static func number(_ text: String?, of option: String) throws(UsageError) -> Int {
    guard let number = text.flatMap({ Int($0) }), number >= 0 else {
      throw UsageError(message: "\(option) needs a number from 0 on")
    }
    return number
  }
}

/// An error for an invalid command line.
struct UsageError: Error {
  let message: String
}
