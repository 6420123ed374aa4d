public import FlagDomain
import FlagJSON

/// A provider of the values in launch arguments, which are strings.
///
/// | argument | value |
/// |---|---|
/// | `--flag feed.page-size=20`, `--flag feed.page-size 20` | 20; a name that no flag has is reported |
/// | `--feed.page-size=20`, `--feed.page-size 20`, `-feed.page-size 20` | 20; any other name is ignored |
///
/// The argument after a name is its value, unless it begins with a hyphen and is not a negative number. Of several
/// arguments for a flag the last one counts. A flag's name without a value is reported.
///
/// Strings are converted exactly: `true` and `false` for booleans, numerals for numbers, JSON for arrays and objects.
/// Any other string, such as `YES` for a boolean, is a type mismatch, and reported as one.
public struct LaunchArgumentsProvider: FixedFlagProvider {
  /// The provider's name.
  public let name = "launch arguments"
  private var values: [String: String] = [:]
  /// The names after `--flag`, which are meant for flags.
  private var flagNames: Set<String> = []
  /// The names that are not followed by a value.
  private var bareNames: Set<String> = []

  /// Creates a provider for the arguments of this process, or others; the first one is the program's name.
  public init(_ arguments: [String] = CommandLine.arguments) {
    var rest = arguments.dropFirst()
    while let argument = rest.popFirst() {
      guard argument.isOption else { continue }
      if argument == "--flag" {
        let assignment = rest.first?.isOption == false ? rest.removeFirst() : ""
        flagNames.insert(read(assignment, followedBy: rest.first))
      } else {
        read(String(argument.drop { $0 == "-" }), followedBy: rest.first)
      }
    }
  }

  /// Parses `name=value`, or a name that may be followed by its value, and returns the name.
  @discardableResult
  private mutating func read(_ assignment: String, followedBy next: String?) -> String {
    let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let name = parts[0]
    if parts.count == 2 {
      values[name] = parts[1]
    } else if let next, !next.isOption {
      values[name] = next
    } else {
      bareNames.insert(name)
    }
    return name
  }
}

extension LaunchArgumentsProvider {
  /// Returns the string of a flag's argument.
  public func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? {
    values[key.name].map { FlagAnswer(.string($0)) }
  }

  /// A function that parses arrays and objects as JSON.
  public var textReader: TextReader? { FlagValue.reading(json:) }

  /// Returns an error for each name after `--flag` that no flag has, and each flag without a value.
  public func unknownEntries(besides keys: [FlagKey]) -> [FlagError] {
    let unknown = flagNames.subtracting(keys.map(\.name)).sorted().map { found in
      FlagError(
        .flagNotFound, "expected the key of a flag behind --flag, found \"\(found.prefix(100))\"", provider: name)
    }
    let bare = keys.filter { bareNames.contains($0.name) && values[$0.name] == nil }.sorted().map { key in
      FlagError(.parseError, "expected a value behind the flag, found none", key: key, provider: name)
    }
    return unknown + bare
  }
}

extension String {
  /// Whether the argument is a name, not a value: it begins with a hyphen, and is not a number.
  fileprivate var isOption: Bool { hasPrefix("-") && Double(self) == nil }
}
