/// What the tool says of itself.
enum Help {
  /// Returns the help for a command, or for the tool as a whole.
  static func text(for topic: Command.Topic?) -> String {
    switch topic {
    case nil: tool
    case .validate: validate
    case .evaluate: evaluate
    case .explain: explain
    case .expired: expired
    }
  }

  private static let tool = """
    Checks, evaluates and explains feature flags in the in-house JSON format.

    usage: flagctl COMMAND ...

      validate   finds what is wrong with documents
      evaluate   evaluates flags for many contexts, one case on each line
      explain    shows how a flag's value comes about for one context
      expired    lists flags that should be gone by now

    flagctl COMMAND --help says more. Exit codes: 0 all is well, 1 wrong data, 64 wrong usage.

    """

  private static let validate = """
    Finds what is wrong with documents: each finding with its file, line, column and JSON path.

    usage: flagctl validate FILE...

    The exit code is 1 if any finding is an error, and 0 if there are only warnings or none.

    """

  private static let expired = """
    Lists flags that should be gone: those whose metadata has a day under "expires" that is over, with their owners.

    usage: flagctl expired FILE... [--today DAY]

      --today DAY          the day to compare with, such as 2027-01-31 (today in UTC unless told otherwise)

    The exit code is 1 if there is such a flag, or a day that cannot be read.

    """

  private static let source = """
      --flags FILE         the document; of several, each one's flags replace those before it
      --bucketing v2|v3    which bytes decide a user's share (v3 unless told otherwise)
      --timestamp SECONDS  the time that rules see (now unless told otherwise)
    """

  private static let evaluate = """
    Evaluates flags: reads one case from each line, and writes one result for each, in order.

    usage: flagctl evaluate --flags FILE [--flags FILE ...] [--cases FILE|-] [option ...]

    \(source)
      --cases FILE         the cases; - or nothing for standard input

    A case is {"flagKey", "type", "default", "context"}, where type is boolean, string, integer, float or object.
    A result is {"value", "variant", "reason", "errorCode", "metadata"}, with null for what there is not.
    A line that is no case gets a result with an error code, and the exit code is then 1.

    """

  private static let explain = """
    Shows how a flag's value comes about for one context: what was tried, and what it gave.

    usage: flagctl explain --flags FILE [--flags FILE ...] FLAG [--context JSON] [option ...]

    \(source)
      --context JSON       the context: an object, with the user as "targetingKey"
      --json               writes JSON, not text

    """
}
