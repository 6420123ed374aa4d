/// An option of a command: its description for help and shells, and its parser, which stores the value.
struct Option<Target>: Sendable {
  let description: OptionDescription
  /// Whether help and completion list the option; an unlisted one exists for a better error message.
  private(set) var isListed = true
  /// The page that describes the option for all commands; nil for an option that the command's help describes.
  fileprivate(set) var shared: SharedOptions?
  /// Whether it may be given several times, with a value each time.
  private(set) var isRepeatable = false
  private let read: @Sendable (inout Target, _ text: String) throws(UsageError) -> Void

  typealias Property<Value> = any WritableKeyPath<Target, Value> & Sendable
}

/// The description of an option in help and completion.
struct OptionDescription: Sendable {
  let name: String
  /// The placeholder of its value; nil for a switch.
  let placeholder: OptionPlaceholder?
  /// The description of its effect, in lines.
  let words: String
}

extension Option {
  var name: String { description.name }

  /// Creates an option with a value, and a closure that stores the value.
  init<Value>(
    _ name: String, _ value: OptionValue<Value>, _ words: String, isRepeatable: Bool = false,
    to store: @escaping @Sendable (inout Target, Value) -> Void
  ) {
    self.isRepeatable = isRepeatable
    description = OptionDescription(name: name, placeholder: value.placeholder, words: words)
    read = { (target, text) throws(UsageError) in store(&target, try value.read(name, text)) }
  }

  /// Creates an option of a property.
  init<Value>(_ name: String, _ value: OptionValue<Value>, _ words: String, _ property: Property<Value>) {
    self.init(name, value, words) { $0[keyPath: property] = $1 }
  }

  /// Creates an option of an optional property.
  init<Value>(_ name: String, _ value: OptionValue<Value>, _ words: String, _ property: Property<Value?>) {
    self.init(name, value, words) { $0[keyPath: property] = $1 }
  }

  /// Creates an option that may be given several times.
  init<Value>(_ name: String, _ value: OptionValue<Value>, _ words: String, addingTo property: Property<[Value]>) {
    self.init(name, value, words, isRepeatable: true) { $0[keyPath: property].append($1) }
  }

  /// Creates a switch that sets a property to a value.
  init<Value: Sendable>(_ name: String, _ words: String, _ property: Property<Value>, is value: Value) {
    description = OptionDescription(name: name, placeholder: nil, words: words)
    read = { target, _ in target[keyPath: property] = value }
  }

  /// Creates a switch that sets a property to true.
  init(_ name: String, _ words: String, _ property: Property<Bool>) {
    self.init(name, words, property, is: true)
  }

  /// Creates an unlisted option that is rejected with a message.
  init(_ name: String, refusedWith message: String) {
    description = OptionDescription(name: name, placeholder: nil, words: "")
    isListed = false
    read = { (_, _) throws(UsageError) in throw UsageError(message) }
  }

  fileprivate init<Inner>(_ option: Option<Inner>, of property: Property<Inner>) {
    description = option.description
    isListed = option.isListed
    shared = option.shared
    isRepeatable = option.isRepeatable
    read = { (target, text) throws(UsageError) in try option.read(&target[keyPath: property], text) }
  }

  /// Reads the option's value, if it has one, and stores it.
  func take(from arguments: inout Arguments, into target: inout Target) throws(UsageError) {
    try read(&target, description.placeholder == nil ? "" : arguments.value(of: name))
  }

  /// Adds an operand as a further value of the option.
  func take(operand: String, into target: inout Target) throws(UsageError) { try read(&target, operand) }
}

extension Array {
  /// Returns the options of a group as options of the type that has the group as a property.
  func of<Target, Inner>(_ property: Option<Target>.Property<Inner>) -> [Option<Target>]
  where Element == Option<Inner> { map { Option($0, of: property) } }

  /// Returns the options as some that many commands have.
  func shared<Target>(_ kind: SharedOptions) -> Self where Element == Option<Target> {
    map { option in
      var option = option
      option.shared = kind
      return option
    }
  }

  /// Returns the lines of a help text; options that many commands have are a line of each kind, or all of them.
  func help<Target>(all: Bool = false) -> String where Element == Option<Target> {
    let own = filter { $0.isListed && (all || $0.shared == nil) }.map(\.description)
    let kinds = all ? [] : SharedOptions.allCases.filter { kind in contains { $0.shared == kind } }
    return (own + kinds.map(\.description)).map(\.help).joined(separator: "\n")
  }
}

/// Options that many commands have, which `flagctl help options` describes.
enum SharedOptions: CaseIterable {
  case set, connection, document

  /// The line in the help of a command.
  fileprivate var description: OptionDescription {
    let (name, words) =
      switch self {
      case .set: ("--etcd, --set", "a set in etcd")
      case .connection: ("--etcd-...", "how etcd is reached")
      case .document: ("--format, --bucketing", "how documents are written and read")
      }
    return OptionDescription(name: name, placeholder: nil, words: "\(words): see flagctl help options")
  }
}

/// A builder of a command's options, from its own and from those of shared groups.
@resultBuilder
enum OptionsBuilder<Target> {
  static func buildExpression(_ option: Option<Target>) -> [Option<Target>] { [option] }
  static func buildExpression(_ options: [Option<Target>]) -> [Option<Target>] { options }
  static func buildBlock(_ options: [Option<Target>]...) -> [Option<Target>] { options.flatMap(\.self) }
}

// MARK: - Help

extension OptionDescription {
  /// The width of the column of names in a help text.
  private static let width = 20

  /// The lines of a help text; each but the first is indented to the column of descriptions.
  fileprivate var help: String {
    let title = [name, placeholder?.text].compactMap { $0 }.joined(separator: " ")
    let margin = "  " + String(repeating: " ", count: Self.width) + " "
    let words = words.filled(to: String.columns - margin.count).replacing("\n", with: "\n" + margin)
    guard title.count <= Self.width else { return "  \(title)\n\(margin)\(words)" }
    return "  \(title)\(String(repeating: " ", count: Self.width - title.count)) \(words)"
  }
}

extension String {
  /// The number of columns of help.
  static let columns = 80

  /// Returns the text with its paragraphs filled; lines that begin with a space stay as they are.
  func filled(to width: Int = columns) -> String {
    var (lines, isOpen): ([String], Bool) = ([], false)
    for line in split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty || line.hasPrefix(" ") {
        lines.append(String(line))
        isOpen = false
        continue
      }
      for word in line.split(separator: " ") {
        if isOpen, let last = lines.last, last.count + 1 + word.count <= width {
          lines[lines.count - 1] += " \(word)"
        } else {
          lines.append(String(word))
        }
        isOpen = true
      }
    }
    return lines.joined(separator: "\n")
  }
}
