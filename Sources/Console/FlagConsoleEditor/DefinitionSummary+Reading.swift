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
  /// The rule with the schedule; nil if there is none.
  private let whole: FlagValue?
  private let now: Int64
  /// The value that everyone gets, which is nil for the default in the code; nil if a rule decides.
  private let value: FlagValue??

  /// The length of the rule that words are made of, in bytes: longer ones are shown by their operator.
  private static let longestRule = 2000

  /// Reads a definition; nil if the document has none, or a malformed one.
  init?(_ key: String, in document: FlagDocument, at now: Int64) {
    guard case .flag(let flag)? = document.flags[key] else { return nil }
    (self.flag, self.now) = (flag, now)
    whole = flag.root.map { flag.program.json($0, atMost: Self.longestRule) }
    schedule = whole.flatMap { ScheduledRule($0, of: key)?.schedule }
    if schedule != nil, let others = whole?.fields?["if"]?.elements?.dropFirst(2) {
      rule = others.count > 1 ? ["if": .array(Array(others))] : others.first
    } else {
      rule = whole
    }
    let share = schedule?.percent(at: now)
    let isSame = !flag.isEnabled || flag.hasOneAnswer || share == 100 || share == 0 && rule == nil
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

  /// The next time from which the rule is another one; nil if there is none.
  var nextTime: Int64? { flag.isEnabled ? whole.flatMap { TimedRule($0).times.first { $0 > now } } : nil }

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
    let hasEnded = rule == nil && schedule?.end.map { $0 <= now } == true
    return hasEnded ? nil : whole.map { RuleExplanation.words(ofRule: $0, at: now) }
  }
}
