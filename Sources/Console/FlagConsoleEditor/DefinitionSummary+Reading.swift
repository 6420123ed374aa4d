import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagReview
import FlagSupport

extension DefinitionSummary {
  /// Puts a flag's definition at a time into words; nil if the document has none.
  init?(
    _ key: String, in document: any DefinitionDocument, at now: Int64,
    _ found: [DefinitionComparison.Difference] = []
  ) {
    guard let listed = document.listing(of: key) else { return nil }
    let differences = found.map(\.part)
    guard let document = document as? FlagDocument else {
      self.init(state: listed.variants.isEmpty ? "Malformed" : "Defined", differences: differences)
      return
    }
    guard let live = LiveDefinition(key, in: document, at: now) else {
      self.init(state: "Malformed", differences: differences)
      return
    }
    self.init(
      state: live.flag.isEnabled ? "On" : "Off for everyone",
      defaultVariant: live.flag.defaultVariant.flatMap { $0.isEmpty ? nil : $0 }, rule: live.words,
      differences: differences)
    (everyone, usesDefault, isScheduled) = (live.everyone, live.usesDefault, live.nextTime != nil)
  }
}

extension DefinitionComparison.Difference {
  /// The part that differs, in a word or two.
  var part: String {
    switch self {
    case .added: "only here"
    case .removed: "missing"
    case .malformed: "malformed"
    case .state: "state"
    case .variants: "variants"
    case .defaultVariant: "default variant"
    case .rule: "rule"
    case .metadata: "metadata"
    }
  }
}

extension DefinitionFacts {
  /// Finds the facts of a document at a time, which are none without a document.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - now: The time in seconds since 1970-01-01 UTC.
  ///   - until: Set to the next time at which a schedule gives other values, if there is one.
  init(of document: (any DefinitionDocument)?, at now: Int64, until: inout Int64) {
    self.init()
    for flag in document?.listed ?? [] {
      let tags = flag.metadata["tags"]?.text.map(Self.tags) ?? []
      if !tags.isEmpty { self.tags[flag.key] = tags }
      owners[flag.key] = flag.metadata["owner"]?.text
      let live = (document as? FlagDocument).flatMap { LiveDefinition(flag.key, in: $0, at: now) }
      staleness[flag.key] = flag.metadata["retired"] == .bool(true) ? .retired : live?.staleness
      reaches[flag.key] = live?.reach
      until = min(until, live?.nextTime ?? .max)
    }
  }

  /// Returns the tags that a text names, separated by commas, each once.
  private static func tags(_ text: String) -> [String] {
    var tags: [String] = []
    for part in text.split(separator: ",").prefix(maximumTags) {
      let tag = String(part).trimmingSpaces
      if !tag.isEmpty, !tags.contains(tag) { tags.append(tag) }
    }
    return tags
  }

  private static let maximumTags = 50
}

/// A flag's definition at a time, and whether it gives everyone the same.
struct LiveDefinition {
  let flag: FlagDefinition
  /// The rule that decides beside the schedule, or without one; nil if there is none.
  private let rule: FlagValue?
  private let schedule: RolloutSchedule?
  private let now: Int64
  /// The value that everyone gets, which is nil for the default in the code; nil if a rule decides.
  private let value: FlagValue??

  /// The length of the rule that words are made of, in bytes: longer ones are shown by their operator.
  private static let longestRule = 2000

  /// Reads a definition; nil if the document has none, or a malformed one.
  init?(_ key: String, in document: FlagDocument, at now: Int64) {
    guard case .flag(let flag)? = document.flags[key] else { return nil }
    (self.flag, self.now) = (flag, now)
    let rule = flag.root.map { flag.program.json($0, atMost: Self.longestRule) }
    schedule = rule.flatMap { ScheduledRule($0, of: key)?.schedule }
    if schedule != nil, let others = rule?.fields?["if"]?.elements?.dropFirst(2) {
      self.rule = others.count > 1 ? ["if": .array(Array(others))] : others.first
    } else {
      self.rule = rule
    }
    let share = schedule?.percent(at: now)
    let isSame = !flag.isEnabled || flag.hasOneAnswer || share == 100 || share == 0 && self.rule == nil
    let anyone = EvaluationContext(attributes: ["targetingKey": "anyone"])
    do throws(FlagError) {
      value = try isSame ? .some(document.evaluate(key, in: anyone, at: now)?.value) : nil
    } catch {
      value = .some(nil)  // an error gives everyone the default in the code
    }
  }

  var reach: FlagReach? {
    if !flag.isEnabled { return .off }
    guard let value else { return .partly }
    return value.map { $0 == false ? .off : .on }
  }

  /// Whether the rule leaves some users to the default variant; shares leave nobody.
  var usesDefault: Bool {
    guard let rule else { return schedule != nil }
    return rule.fields?["fractional"] == nil && rule.fields?["if"]?.elements?.count.isMultiple(of: 2) != false
  }

  /// The next time at which a schedule gives other values; nil if there is none.
  var nextTime: Int64? { flag.isEnabled ? schedule?.times.first { $0 > now } : nil }

  /// The reason why the flag may have done its work.
  var staleness: FlagStaleness? { flag.isEnabled ? flag.hasOneAnswer ? .oneVariant : nil : .offForEveryone }

  /// The value that everyone gets, in words: "On for everyone", "20 for everyone", "Partly".
  var everyone: String {
    if !flag.isEnabled { return "Off for everyone" }
    guard let value else { return FlagReach.partly.title }
    let text = value?.shortText.excerpt ?? "the code's default"
    return "\(text.prefix(1).uppercased() + text.dropFirst()) for everyone"
  }

  /// The rule, with the place of a rollout: "10 % get on now, 50 % from 28 Nov 12:00, else off"; nil without one.
  var words: String? {
    let steps = schedule?.words(at: now) ?? []
    let rest = rule.map { (steps.isEmpty ? "" : "else ") + RuleExplanation.words(ofRule: $0) }
    let words = steps + [rest].compactMap { $0 }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }
}

extension RolloutSchedule {
  /// Returns the share of users who are given the variant at a time, in percent.
  fileprivate func percent(at now: Int64) -> Int {
    if let end, end <= now { return 0 }
    return steps.isEmpty ? 100 : steps.last { $0.time <= now }?.percent ?? 0
  }

  /// Returns the place of the rollout at a time and what follows, in phrases; empty if it has ended.
  fileprivate func words(at now: Int64) -> [String] {
    if let end, end <= now { return [] }
    func share(_ percent: Int) -> String { percent == 100 ? "all" : "\(percent) %" }
    let begins = steps.isEmpty || steps[0].time <= now
    var phrases = begins ? ["\(share(percent(at: now))) get \(variant) now"] : []
    for step in steps where step.time > now {
      let first = phrases.isEmpty ? " get \(variant)" : ""
      phrases.append("\(share(step.percent))\(first) from \(step.time.words(beside: now))")
    }
    return phrases + (end.map { ["until \($0.words(beside: now))"] } ?? [])
  }
}

extension Int64 {
  /// Returns the seconds since 1970 as a time in UTC: "28 Nov 12:00", with the year if that is another one.
  fileprivate func words(beside now: Int64) -> String {
    func day(_ seconds: Int64) -> CalendarDay {
      CalendarDay(daysSince1970: seconds.flooredQuotientAndRemainder(dividingBy: Timestamp.secondsPerDay).quotient)
    }
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let (date, clock) = (day(self), Timestamp(secondsSince1970: self).description.dropFirst(11).prefix(5))
    let year = date.year == day(now).year ? "" : " \(date.year)"
    return "\(date.day) \(months[date.month - 1])\(year) \(clock)"
  }
}
