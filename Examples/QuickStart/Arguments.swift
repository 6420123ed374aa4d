import FlagDomain
import Foundation

/// The program's arguments.
struct Arguments {
  var file: URL
  var visitors = Visitor.samples
  /// Whether the screens and every source are shown.
  var showsAll = false
}

/// Someone who looks at the app.
struct Visitor {
  var title: String
  var user: FlagUser?

  static let samples = [
    Visitor(title: "A visitor who is not signed in"),
    Visitor(
      title: "Ana, a beta tester in Spain, signs in", user: FlagUser(id: "ana", countryCode: "es", segments: ["beta"])),
    Visitor(title: "Bob, in the US, signs in", user: FlagUser(id: "bob", countryCode: "us")),
  ]
}

extension Arguments {
  init(_ words: some Sequence<String>) throws {
    var words = words.makeIterator()
    var file: URL?
    var (id, country, segments) = (String?.none, String?.none, [String]())
    func value(of option: String) throws(UsageError) -> String {
      guard let value = words.next() else { throw UsageError("\(option) needs a value") }
      return value
    }
    while let word = words.next() {
      switch word {
      case "--all": showsAll = true
      case "--user": id = try value(of: word)
      case "--country": country = try value(of: word)
      case "--segment": segments.append(try value(of: word))
      case _ where word.hasPrefix("-"): throw UsageError("unknown option \(word)")
      case _ where file != nil: throw UsageError("one definitions file is enough, found \(word) too")
      default: file = URL(filePath: word)
      }
    }
    let name = showsAll ? "flags" : "in-house"
    guard let own = Bundle.module.url(forResource: name, withExtension: "json") else {
      throw UsageError("the program's own \(name).json is missing; name another")
    }
    self.file = file ?? own
    if let id {
      visitors = [Visitor(title: "User \(id)", user: FlagUser(id: id, countryCode: country, segments: segments))]
    } else if country != nil || !segments.isEmpty {
      throw UsageError("--country and --segment say something of a user: name one with --user")
    }
  }
}

/// A command line that means nothing.
struct UsageError: Error {
  let message: String

  init(_ problem: String) {
    message = "\(problem)\nusage: QuickStart [--all] [flags.json] [--user ID --country CC --segment S ...]"
  }
}
