public import FlagDomain
import FlagJSON

/// A provider of the values in launch arguments, which are strings.
///
/// | argument | value |
/// |---|---|
/// | `--flag feed.page-size=20`, `--flag feed.page-size 20` | 20; a name that no flag has is reported |
/// | `--feed.page-size=20`, `--feed.page-size 20`, `-feed.page-size 20` | 20; any other name is ignored |
///
/// They are read as people type them, too: with one hyphen or two, or a dash that autocorrection has made long; with an
/// equals sign or a space behind `--flag`; and as one argument that contains the space.
///
/// The argument after a name is its value, unless it begins with a hyphen and is not a negative number. Of several
/// arguments for a flag the last one counts. A flag's name without a value is reported, and so is any other argument
/// that assigns a value to a flag's name, such as `feed.page-size=20` alone.
///
/// Strings are converted exactly: `true` and `false` for booleans, numerals for numbers, JSON for arrays and objects.
/// Any other string, such as `YES` for a boolean, is a type mismatch, and reported as one.
public struct LaunchArgumentsProvider: FixedFlagProvider {
  /// The provider's name.
  public let name = "launch arguments"
  /// The values by names in UTF-8, since strings are equal that differ in their Unicode form.
  private var values: [[UInt8]: String] = [:]
  /// The names after `--flag`, which are meant for flags.
  private var flagNames: Set<[UInt8]> = []
  /// The names that are not followed by a value.
  private var bareNames: Set<[UInt8]> = []
  /// The arguments that are neither names nor their values.
  private var others: [String] = []

  /// Creates a provider for the arguments of this process, or others; the first one is the program's name.
  public init(_ arguments: [String] = CommandLine.arguments) {
    var rest = arguments.dropFirst()
    while let argument = rest.popFirst() {
      guard argument.isOption else {
        others.append(argument)
        continue
      }
      let option = Assignment(argument.drop(while: \.isDash))
      guard option.name.lowercased() == "flag" else {
        read(option, followedBy: &rest)
        continue
      }
      let assignment = option.value ?? (rest.first?.isOption == false ? rest.removeFirst() : "")
      flagNames.insert(read(Assignment(assignment[...]), followedBy: &rest))
    }
  }

  /// Takes the value of an assignment, or else the next argument, and returns the name.
  @discardableResult
  private mutating func read(_ assignment: Assignment, followedBy rest: inout ArraySlice<String>) -> [UInt8] {
    let name = Array(assignment.name.utf8)
    if let value = assignment.value {
      values[name] = value
    } else if let next = rest.first, !next.isOption {
      values[name] = rest.removeFirst()
    } else {
      bareNames.insert(name)
    }
    return name
  }
}

/// A name and the value that follows it in the same argument, after an equals sign or white space.
private struct Assignment {
  let name: String
  let value: String?

  init(_ text: Substring) {
    name = String(text.prefix { $0 != "=" && !$0.isWhitespace })
    let rest = text.dropFirst(name.count).drop(while: \.isWhitespace)
    value = rest.first == "=" ? String(rest.dropFirst()) : rest.isEmpty ? nil : String(rest)
  }
}

extension LaunchArgumentsProvider {
  /// Returns the string of a flag's argument.
  public func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? {
    values[key.bytes].map { FlagAnswer(.string($0)) }
  }

  /// A function that parses arrays and objects as JSON.
  public var textReader: TextReader? { FlagValue.reading(json:) }

  /// Returns an error for each name after `--flag` that no flag has, each flag without a value, and each other argument
  /// that assigns a value to a flag.
  public func unknownEntries(besides keys: [FlagKey]) -> [FlagError] {
    let unknown = flagNames.subtracting(keys.map(\.bytes)).map { String(decoding: $0, as: UTF8.self) }
    let unread = unknown.sorted().map { found in
      FlagError(
        .flagNotFound, "expected the key of a flag behind --flag, found \"\(found.prefix(100))\"", provider: name)
    }
    let bare = keys.filter { bareNames.contains($0.bytes) && values[$0.bytes] == nil }.sorted().map { key in
      FlagError(.parseError, "expected a value behind the flag, found none", key: key, provider: name)
    }
    return unread + bare + lookAlikes(of: keys)
  }

  /// Returns an error for each argument that is not read and assigns a value to a flag.
  private func lookAlikes(of keys: [FlagKey]) -> [FlagError] {
    let named = Dictionary(keys.map { ($0.bytes, $0) }) { first, _ in first }
    let unread = values.filter { named[$0.key] == nil && !flagNames.contains($0.key) }
      .map { (key: String(decoding: $0.key, as: UTF8.self), value: $0.value) }.sorted { $0.key < $1.key }
    return (others.map { ($0, $0) } + unread.map { ($0.value, "--\($0.key) \($0.value)") }).compactMap { text, found in
      guard text.contains("="), let key = named[Array(Assignment(text[...]).name.utf8)] else { return nil }
      return FlagError(
        .parseError, "expected --flag \(text.prefix(100)), found \"\(found.prefix(100))\"", key: key, provider: name)
    }
  }
}

extension FlagKey {
  /// The name in UTF-8.
  fileprivate var bytes: [UInt8] { Array(name.utf8) }
}

extension String {
  /// Whether the argument is a name, not a value: it begins with a hyphen or dash, and is not a number.
  fileprivate var isOption: Bool { first?.isDash == true && Double("-\(dropFirst())") == nil }
}

extension Character {
  /// Whether autocorrection may have made it of hyphens, or it is one.
  fileprivate var isDash: Bool { self == "-" || ("\u{2010}"..."\u{2015}").contains(self) }
}
