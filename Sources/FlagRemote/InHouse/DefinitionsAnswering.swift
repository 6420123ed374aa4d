import FlagDefinitions
import FlagDomain
import FlagProviders

/// Answers that definitions give, the same for everyone.
protocol DefinitionsAnswering: AnswerFormat where Content == TimedDocument {
  /// The time that rules see.
  var clock: WallClock { get }
}

extension DefinitionsAnswering {
  var isPersonal: Bool { false }

  func answer(
    _ content: TimedDocument, for key: FlagKey, in context: EvaluationContext
  ) throws(FlagError) -> FlagAnswer? {
    try content.evaluate(key, in: context, now: clock.now)
  }

  func changes(from old: TimedDocument, to new: TimedDocument) -> ChangedKeys? {
    let names = new.changedKeys(from: old)
    return names.isEmpty ? nil : .some(names)
  }

  /// What is wrong with single flags of the document; of many, the first hundred.
  func findings(in content: TimedDocument) -> [FlagError] {
    content.document.diagnostics.prefix(100).map { FlagError(.parseError, "\($0)") }
  }
}

/// Makes rules about the time see the next moment when it comes, for as long as it lives.
final class FollowedInstants: Sendable {
  private let alarm: InstantAlarm
  private let following: FlagSubscription

  init<Format: DefinitionsAnswering>(of content: ObservableContent<ServedContent<Format>>) {
    let alarm = InstantAlarm(content.current.format.clock, next: { content.current.served?.content.nextInstant }) {
      content.moveOn()
    }
    following = content.subscribe { [weak alarm] _ in alarm?.reset() }
    alarm.reset()
    self.alarm = alarm
  }
}

extension ObservableContent {
  /// Makes rules see the time of now.
  func moveOn<Format: DefinitionsAnswering>() where Content == ServedContent<Format> {
    update { content in
      let moment = content.format.clock.moment
      content.edit { $0.seconds = moment }
    }
  }
}
