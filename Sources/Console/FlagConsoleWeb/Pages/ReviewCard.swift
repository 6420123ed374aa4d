import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagHTTP

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
  /// The button's text.
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
    \(review == nil && problem == nil ? "<p class=\"muted\">A review shows what saving changes.</p>" as HTML : nil)
    \(review.map(problems))
    \(review.map(flags))
    \(review?.isUnchanged == true ? "<p class=\"muted\">Nothing was edited.</p>" as HTML : nil)
    \(warning.map { "<p class=\"warning\">\($0)</p>" as HTML })
    \(seen.map { HTML.hidden("seen", $0) })
    </section>
    \(reasonField)
    \(lock)<div class="buttons">\(lock == nil ? "<button class=\"primary\" id=\"save\">\(action)</button>" as HTML : nil)
    <a class="plain" href="\(cancel)">Cancel</a></div>
    """
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
    let moved = users.isEmpty ? [] : ["\(users.count(where: \.isAffected)) of \(users.count) test users move"]
    return (review.flags.flatMap(\.words) + review.otherWords + moved).prefix(5).joined(separator: "; ").shortened(
      to: 300)
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

  private func flag(_ flag: ChangedFlag, isNamed: Bool) -> HTML {
    """
    \(isNamed ? "<h3><code>\(flag.key)</code></h3>" as HTML : nil)
    \(DifferenceView(words: flag.words, lines: flag.lines).html)
    \(TestedUsersView(site: site, editor: editor, users: flag.testUsers).html)
    \(EffectView(tried: flag.tried, effect: flag.effect).html)
    """
  }
}
