/// An option of a command, as help describes it and as shells complete it.
struct CommandOption: Sendable {
  /// What follows an option.
  enum Value: Sendable {
    /// The path of a file, or of several.
    case file
    case files
    /// One of some words.
    case choice([String])
    /// Anything else, called by this name.
    case text(String)
  }

  /// The name, with its hyphens.
  let name: String
  /// What follows it; nil where nothing does.
  let value: Value?
  /// What it does, in lines.
  let words: String

  init(_ name: String, _ value: Value, _ words: String) {
    self.name = name
    self.value = value
    self.words = words
  }

  /// Creates an option that nothing follows.
  init(_ name: String, _ words: String) {
    self.name = name
    value = nil
    self.words = words
  }
}

extension CommandOption {
  /// How wide the column of names is in a help text.
  private static let width = 20

  /// The lines of a help text; each but the first is indented as far as the words of that one.
  var help: String {
    let title = [name, placeholder].compactMap { $0 }.joined(separator: " ")
    let margin = "  " + String(repeating: " ", count: Self.width) + " "
    let words = words.split(separator: "\n").joined(separator: "\n" + margin)
    guard title.count <= Self.width else { return "  \(title)\n\(margin)\(words)" }
    return "  \(title)\(String(repeating: " ", count: Self.width - title.count)) \(words)"
  }

  private var placeholder: String? {
    switch value {
    case nil: nil
    case .file?: "FILE"
    case .files?: "FILE..."
    case .choice(let words)?: words.joined(separator: "|")
    case .text(let name)?: name
    }
  }
}

extension [CommandOption] {
  /// The lines of a help text.
  var help: String { map(\.help).joined(separator: "\n") }
}
