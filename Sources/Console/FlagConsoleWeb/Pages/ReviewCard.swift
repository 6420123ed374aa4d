import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagHTTP
import FlagReview
import FlagSupport

/// The review of a change on the page that saves it: problems, differences and effect, the reason, and the buttons.
///
/// It is a part of the page's form, which sends back the fingerprint of the review, so that nothing is saved that was
/// not seen.
struct ReviewCard {
  /// The reason why the page is shown.
  enum Occasion: Hashable {
    /// Nothing was sent to be saved.
    case asked
    /// The change was not saved, because its review had not been seen.
    case unseen
    /// The change was not saved, for this reason.
    case refused(String)
    /// The change was not saved, because someone else saved first.
    case conflict
  }

  let site: Site
  let editor: DefinitionEditor
  var title = "Effect of saving"
  /// The review; nil if the form cannot be read as a change.
  var review: ChangeReview?
  /// The reason why the form cannot be read; nil if it can.
  var problem: FlagError?
  var occasion = Occasion.asked
  /// The entered reason.
  var reason = ""
  /// A further fact to know before saving; nil if there is none.
  var warning: String?
  /// Whether the page shows all that has to be seen; if not, sending its form saves nothing.
  var isWhole = true
  /// The reason why nobody gets another value, as a sentence; nil if that is to be seen.
  var unread: String?
  /// The verb of the button that saves.
  var action = "Save"
  /// The lines of diagnostics in the field of the rule; the others have lines of the document.
  var ruleLines: [DocumentDiagnostic: Int] = [:]
  /// The address of the page to go back to.
  let cancel: String

  var status: HTTPStatus {
    switch occasion {
    case .asked, .unseen: .ok
    case .refused: .unprocessableContent
    case .conflict: .conflict
    }
  }

  /// The reason why nothing was saved, for the top of the page.
  var notice: HTML? {
    switch occasion {
    case .asked, .conflict: nil
    case .unseen:
      """
      <p class="banner" role="alert" id="unseen">Not saved yet. This is what saving changes: look at it, and save again.</p>
      """
    case .refused(let message): "<p class=\"problem\" role=\"alert\" id=\"problem\">\(message)</p>"
    }
  }

  var html: HTML {
    """
    <p class="sr" id="review-said" role="status">\(said)</p>
    <section class="card" id="review" aria-labelledby="review-title">
    <h2 id="review-title">\(title)</h2>
    \(problem.map { "<p class=\"problem\">\($0.message)</p>" as HTML })
    \(unread.map { "<p class=\"good\">\(Icon.yes) \($0)</p>" as HTML })
    \(review == nil && problem == nil && unread == nil
      ? "<p class=\"muted\">A review shows what saving changes.</p>" as HTML : nil)
    \(review.map(problems))
    \(review.map(flags))
    \(review?.isUnchanged == true ? "<p class=\"muted\">Nothing was edited.</p>" as HTML : nil)
    \(warning.map { "<p class=\"warning\">\($0)</p>" as HTML })
    \(seen.map { HTML.hidden("seen", $0) })
    </section>
    """
  }

  /// The reason and the buttons, which stay in sight: they are the last part of the form, whatever its height.
  var dock: HTML {
    """
    <div class="dock">\(reasonField)\(lock)
    <div class="buttons">\(lock == nil ? "<button class=\"primary\" id=\"save\">\(save)</button>" as HTML : nil)
    <a class="plain" href="\(cancel)">Cancel</a></div></div>
    """
  }

  /// The button's text, which names the environment.
  private var save: String {
    guard let name = site.environmentName, !action.hasSuffix(" \(name)") else { return action }
    return "\(action) in \(name)"
  }

  /// The reason why the person may not save; nil if they may, and without a person.
  private var lock: HTML? {
    guard editor.access.permission < .edit, let notice = editor.access.notice else { return nil }
    return "<p class=\"muted\" id=\"locked\">\(Icon.lock) \(notice)</p>"
  }

  /// The review in a sentence, which a screen reader says after each edit.
  private var said: String {
    if let problem = problem ?? review?.problem { return problem.message }
    guard let review else { return "" }
    let errors = review.diagnostics.count { $0.severity == .error }
    if errors > 0 { return errors == 1 ? "The definition has an error." : "The definition has \(errors) errors." }
    if review.isUnchanged { return "Nothing was edited." }
    let users = review.flags.flatMap(\.testUsers)
    let moved = users.isEmpty ? [] : ["\(users.count(where: \.isAffected)) of \(users.count) test users move at once"]
    let later = review.flags.flatMap(\.plan).prefix(3).map { step in
      "from \(step.time.words(beside: editor.options.now())) UTC \(step.words)"
    }
    return ((review.flags.flatMap(\.words) + review.otherWords).prefix(5) + moved + later).joined(separator: "; ")
      .shortened(to: 500)
  }

  private var seen: String? { isWhole ? review?.fingerprint : nil }

  private var reasonField: HTML? {
    guard editor.hasHistory else { return nil }
    return """
      <label class="reason">Reason, for the history<input name="reason" id="reason" value="\(exact: reason)" \
      maxlength="500" autocomplete="off"></label>
      """
  }

  private func problems(_ review: ChangeReview) -> HTML {
    """
    \(review.problem.map { error in
      let beginning = error.code == .parseError ? "The rule cannot be read. " : ""
      return "<p class=\"problem\">\(beginning + error.message)</p>" as HTML
    })
    \(review.diagnostics.prefix(20).map(diagnostic))
    """
  }

  private func diagnostic(_ diagnostic: DocumentDiagnostic) -> HTML {
    let place = ruleLines[diagnostic].map { "line \($0) of the rule" } ?? "line \(diagnostic.line)"
    return """
      <p class="\(diagnostic.severity == .error ? "problem" : "warning")"><code>\(diagnostic.path)</code> \
      \(diagnostic.message) <span class="muted">\(place)</span></p>
      """
  }

  private func flags(_ review: ChangeReview) -> HTML {
    let isAlone = review.flags.count == 1
    return """
      \(review.flags.filter(\.isMeant).map { flag($0, isNamed: !isAlone) })
      \(review.others.isEmpty ? nil : "<p class=\"warning\">Flags that this is not about change, too.</p>" as HTML)
      \(review.others.map { flag($0, isNamed: true) })
      \(review.otherWords.isEmpty ? nil : others(review.otherWords))
      \(HTML.more(review.omittedFlags, "more flags"))
      """
  }

  /// The differences of the document besides its flags.
  private func others(_ words: [String]) -> HTML {
    let rest = words.count - Self.maximumWords
    return """
      <ul class="words">\(words.prefix(Self.maximumWords).map { "<li>\($0)</li>" as HTML })\
      \(rest > 0 ? "<li>and \(rest) more parts</li>" as HTML : nil)</ul>
      """
  }

  private static let maximumWords = 50

  private func effect(_ flag: ChangedFlag) -> HTML {
    """
    \(plan(flag.plan))
    \(TestedUsersView(site: site, editor: editor, users: flag.testUsers).html)
    \(EffectView(tried: flag.tried, effect: flag.effect).html)
    """
  }

  /// The changes at times to come, above those at once.
  private func plan(_ steps: [PlannedStep]) -> HTML? {
    PlanView(steps: steps, now: editor.options.now()).html.map { "<h3>Later</h3>\($0)<h3>At once</h3>" }
  }

  private func flag(_ flag: ChangedFlag, isNamed: Bool) -> HTML {
    """
    \(isNamed ? "<h3><code>\(flag.key)</code></h3>" as HTML : nil)
    \(DifferenceView(words: flag.words, lines: flag.lines).html)
    \(unread == nil ? effect(flag) : nil)
    """
  }
}

/// The users whom saving affects at once, with who was asked: the ones who were tried here, then all the others.
struct EffectView {
  let tried: [ConsoleUserOutcome]
  let effect: ChangeEffect?

  var html: HTML {
    """
    \(alarm)
    \(effect.map(others))
    \(tried.isEmpty ? nil : TestedUsersView.table("Tried in this console", tried.map { user in
      (user.name + (user.isCurrent && user.user != nil ? ", signed in" : ""), user.old, user.new)
    }))
    """
  }

  /// The effect on the user whom the console shows now, above everything else.
  private var alarm: HTML? {
    guard let current = tried.first(where: \.isCurrent), current.isAffected else { return nil }
    return """
      <p class="warning">\(current.name) gets \(current.move.new) instead of \(current.move.old).</p>
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
