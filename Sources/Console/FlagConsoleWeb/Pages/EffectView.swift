import FlagConsole
import FlagDomain
import FlagEditing
import FlagReview
import FlagSupport

/// The users whom saving affects, with who was asked: the ones who were tried here, then all the others.
struct EffectView {
  let tried: [ConsoleUserOutcome]
  let effect: DefinitionEffect?

  var html: HTML {
    """
    \(alarm)
    \(effect.map(others))
    \(tried.isEmpty ? nil : "<h3>Tried in this console</h3><ul class=\"moves tried\">\(tried.map(item))</ul>" as HTML)
    """
  }

  /// The effect on the user whom the console shows now, above everything else.
  private var alarm: HTML? {
    guard let current = tried.first(where: \.isCurrent), current.isAffected else { return nil }
    return """
      <p class="warning">\(current.name) gets \(current.move.new) instead of \(current.move.old).</p>
      """
  }

  private func item(_ user: ConsoleUserOutcome) -> HTML {
    let name = "\(user.name)\(user.isCurrent && user.user != nil ? ", signed in" : "")"
    guard user.isAffected else {
      return """
        <li><span class="ellipsis">\(name)</span><span class="ellipsis">\(user.move.new)</span><span></span>\
        <span class="muted">no change</span></li>
        """
    }
    return """
      <li class="changes"><span class="ellipsis">\(name)</span><span class="ellipsis">\(user.move.old)</span>\
      <span aria-hidden="true">→</span><span class="sr"> to </span><span class="ellipsis">\(user.move.new)</span></li>
      """
  }

  private func others(_ effect: DefinitionEffect) -> HTML {
    if effect.estimate.share == 0 {
      let isSettled = effect.asked == .nobody && !tried.contains(where: \.isAffected)
      return isSettled
        ? "<p class=\"good\">\(Icon.yes) \(effect.words).</p>" : "<p>\(effect.words).</p>\(note(effect))"
    }
    let isShare = effect.asked == .nobody || effect.asked == .sampleOfOwnUsers
    return """
      \(isShare ? "<p class=\"big\">\(effect.estimate.share.percent())</p>" as HTML : nil)
      <p>\(effect.words)</p>
      \(note(effect))
      <ul class="moves">\(effect.estimate.moves.map { move in
        """
        <li><span class="ellipsis">\(move.words.old)</span><span aria-hidden="true">→</span><span class="sr"> to </span>\
        <span class="ellipsis">\(move.words.new)</span><span class="muted">\(amount(of: move.share, effect))</span></li>
        """
      })</ul>
      """
  }

  private func amount(of share: Double, _ effect: DefinitionEffect) -> String {
    switch effect.asked {
    case .nobody, .sampleOfOwnUsers: share.percent()
    case .ownUsers, .assumedUsers: "\(Int((share * Double(effect.users)).rounded()))"
    }
  }

  private func note(_ effect: DefinitionEffect) -> HTML? {
    switch effect.asked {
    case _ where effect.estimate.isUnknown: nil
    case .nobody, .ownUsers: nil
    case .sampleOfOwnUsers:
      "<p class=\"muted\">Give or take \(effect.margin.percent()): \(effect.users) of them were drawn.</p>"
    case .assumedUsers:
      """
      <p class="muted">Assumed users have the values that the rules compare with, and others. They show which changes are \
      possible, and not how many of your users change; for that, give the console the attributes of your users.</p>
      """
    }
  }
}

extension ConsoleUserOutcome {
  fileprivate var name: String { user?.id.shortened() ?? "A visitor" }

  fileprivate var move: (old: String, new: String) { FlagOutcome.words(from: old, to: new) }
}

extension DefinitionEffect {
  /// The effect in a phrase that says who was asked.
  var words: String {
    if asked != .nobody, estimate.isUnknown { return "Unknown: the rule is too expensive to ask users" }
    let isNone = estimate.share == 0
    let (some, get) = (isNone ? "None" : "\(affectedUsers)", affectedUsers == 1 ? "gets" : "get")
    switch asked {
    case .nobody:
      return isNone
        ? "Nobody gets a different variant"
        : "\(estimate.share.percent()) of users get a different variant"
    case .ownUsers:
      return "\(some) of your \(users.counted("user")) \(get) a different variant"
    case .sampleOfOwnUsers:
      return isNone
        ? "None of \(users.counted("user")) drawn from yours gets a different variant"
        : "\(estimate.share.percent()) of your users get a different variant"
    case .assumedUsers:
      return "\(some) of \(users.counted("assumed user")) \(get) a different variant"
    }
  }
}
