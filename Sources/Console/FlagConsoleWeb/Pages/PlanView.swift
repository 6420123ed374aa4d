import FlagDomain
import FlagEditing
import FlagSupport

/// The times to come from which a flag's rule is another one: each with what it is then, and whom it moves.
struct PlanView {
  let steps: [PlannedStep]
  /// The time in seconds since 1970-01-01 UTC.
  let now: Int64

  private static let limit = 20

  var html: HTML? {
    guard !steps.isEmpty else { return nil }
    return """
      <ol class="planned" aria-label="What changes later">\(steps.prefix(Self.limit).map { step in
        """
        <li><strong>From \(HTML.time(step.time, beside: now))</strong> <span>\(step.words.shortened(to: 600))</span>
        \(step.moved.map { "<span class=\"moved\">\($0)</span>" as HTML })</li>
        """ as HTML
      })</ol>\(HTML.more(steps.count - Self.limit, "more times"))
      """
  }
}

extension PlannedStep {
  /// The users whom the time moves, in words; nil if the console knows no users.
  var moved: String? {
    var words: [String] = []
    if knownUsers > 0 {
      let names = users.prefix(5).map { $0.shortened(to: 40) } + (users.count > 5 ? ["…"] : [])
      words.append(
        "\(users.isEmpty ? "none" : "\(users.count)") of \(knownUsers.counted("user")) known here"
          + (names.isEmpty ? "" : ": \(names.joined(separator: ", "))"))
    }
    if ownUsers > 0 {
      let share = movedOwnUsers.percent(of: ownUsers)
      words.append("\(movedOwnUsers) of \(ownUsers) of your users (\(share))")
    }
    return words.isEmpty ? nil : "Moves \(words.joined(separator: "; "))"
  }
}

extension HTML {
  /// Returns a time in seconds since 1970-01-01 UTC, beside which the script writes the local time.
  ///
  /// - Parameters:
  ///   - seconds: The time.
  ///   - now: The time beside which it is short: "28 Nov 12:00 UTC"; nil to write all of it.
  /// - Returns: The element.
  static func time(_ seconds: Int64, beside now: Int64? = nil) -> HTML {
    let whole = "\(Timestamp(secondsSince1970: seconds))"
    return "<time datetime=\"\(whole)\">\(now.map { "\(seconds.words(beside: $0)) UTC" } ?? whole)</time>"
  }
}
