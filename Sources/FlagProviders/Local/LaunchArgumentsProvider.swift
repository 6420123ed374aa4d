public import FlagDomain

/// A provider of the values in launch arguments, which are text.
///
/// A flag's argument is `--flag feed.page-size=20`, or its key behind two hyphens: `--feed.page-size=20`. Or, as schemes
/// of Apple's tools have it, one hyphen and the value as the next argument: `-feed.page-size 20`; an argument with two
/// hyphens is never such a value. Of several arguments for a flag the last one counts. Text is converted exactly: `true` and `false` for booleans, numerals for
/// numbers, JSON for lists and records.
public struct LaunchArgumentsProvider: FlagProvider {
  /// The provider's name.
  public let name = "launch arguments"
  private let values: [String: String]

  /// Creates a provider over the arguments of this process, or others; the first one is the program's name.
  public init(_ arguments: [String] = CommandLine.arguments) {
    var values: [String: String] = [:]
    var rest = arguments.dropFirst()
    while let argument = rest.popFirst() {
      if argument.hasPrefix("--") {
        let assignment = argument == "--flag" ? rest.popFirst() ?? "" : String(argument.dropFirst(2))
        let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 { values[String(parts[0])] = String(parts[1]) }
      } else if argument.hasPrefix("-"), rest.first?.hasPrefix("--") == false {
        values[String(argument.dropFirst())] = rest.popFirst()
      }
    }
    self.values = values
  }

  /// Returns the arguments, which do not change.
  public func snapshot() -> any ProviderSnapshot { TextAnswers { values[$0.name] } }
}
