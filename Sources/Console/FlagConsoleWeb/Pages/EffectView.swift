import FlagConsole
import FlagDomain
import FlagEditing
import FlagReview
import FlagSupport

/// The users whom saving affects, with who was asked: the ones who were tried here, then all the others.
struct EffectView {
  let tried: [ConsoleUserOutcome]
  let effect: ChangeEffect?

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

  private func others(_ effect: ChangeEffect) -> HTML {
    if effect.affectsUsers != true {
      let isSettled = effect.affectsUsers == false && !tried.contains(where: \.isAffected)
      return isSettled ? "<p class=\"good\">\(Icon.yes) \(effect.words).</p>" : "<p>\(effect.words).</p>"
    }
    return """
      \(effect.isExact && effect.share > 0 ? "<p class=\"big\">\(effect.share.percent())</p>" as HTML : nil)
      <p>\(effect.words)</p>
      <ul class="moves">\(effect.moves.map { move in
        item(move.words, effect.isExact ? move.share.percent() : "\(effect.count(of: move.share))")
      })\(effect.examples.map { item($0.words, "for example \($0.words(ofAttributesUpTo: 80))") })</ul>
      """
  }

  private func item(_ words: (old: String, new: String), _ amount: String) -> HTML {
    """
    <li><span class="ellipsis">\(words.old)</span><span aria-hidden="true">→</span><span class="sr"> to </span>\
    <span class="ellipsis">\(words.new)</span><span class="muted">\(amount)</span></li>
    """
  }
}

extension ConsoleUserOutcome {
  fileprivate var name: String { user?.id.shortened() ?? "A visitor" }

  fileprivate var move: (old: String, new: String) { FlagOutcome.words(from: old, to: new) }
}

extension AffectedUser {
  /// The attributes in words.
  fileprivate func words(ofAttributesUpTo length: Int) -> String {
    attributes.isEmpty ? "a visitor without attributes" : FlagValue.object(attributes).shortText.shortened(to: length)
  }
}

extension ChangeEffect {
  /// The effect in a phrase that says who was asked.
  var words: String {
    guard let users else {
      return share == 0 && examples.isEmpty
        ? "Nobody gets a different variant"
        : share == 0
          ? "Users like these get a different variant" : "\(share.percent()) of users get a different variant"
    }
    if users > 0, share > 0 || examples.isEmpty {
      let moved = count(of: share)
      let (some, get) = (moved == 0 ? "None" : "\(moved)", moved == 1 ? "gets" : "get")
      return "\(some) of your \(users.counted("user")) \(get) a different variant"
    }
    switch affectsUsers {
    case true?: return "Users like these get a different variant"
    case false?: return "Nobody gets a different variant"
    case nil: return "Unknown: the rule is too complex to say who gets a different variant"
    }
  }
}
