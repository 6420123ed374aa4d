import FlagDomain
import FlagProviders

/// What the tool is asked to do.
enum Command: Equatable {
  case help(Topic?)
  case validate(files: [String])
  case evaluate(Evaluate)
  case explain(Explain)
  case expired(Expired)

  /// The commands that there is help for.
  enum Topic: String, CaseIterable {
    case validate, evaluate, explain, expired
  }

  /// Which documents to use, and how.
  struct Source: Equatable {
    var files: [String] = []
    var bucketing = Bucketing.v3
    var timestamp: Int64?
  }

  struct Evaluate: Equatable {
    var source = Source()
    /// The file with the cases; nil for standard input.
    var cases: String?
  }

  struct Expired: Equatable {
    var files: [String] = []
    /// The day to compare with; nil for today.
    var today: CalendarDay?
  }

  struct Explain: Equatable {
    var source = Source()
    var flag = ""
    /// The context, as JSON.
    var context = "{}"
    var isJSON = false
  }
}
