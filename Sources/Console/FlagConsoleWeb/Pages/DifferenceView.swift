import FlagConsoleEditor
import FlagDomain
import FlagEditing
import FlagReview

/// The difference of a definition: in words, and in lines that can be opened.
struct DifferenceView {
  let words: [String]
  let lines: LineDifference

  var html: HTML? {
    if words.isEmpty, lines.lines.isEmpty { return nil }
    return """
      <ul class="words">\(words.map { "<li>\($0)</li>" as HTML })</ul>
      \(lines.lines.isEmpty ? nil : table)
      """
  }

  private var table: HTML {
    """
    <details class="lines"><summary>The difference in lines</summary>
    <ol class="difference" aria-label="The difference in lines">\(lines.lines.map(line))</ol></details>
    """
  }

  private func line(_ line: LineDifference.Line) -> HTML {
    switch line.kind {
    case .same: "<li><span aria-hidden=\"true\"> </span><code>\(text(line))</code></li>"
    case .removed:
      "<li class=\"removed\"><span aria-hidden=\"true\">−</span><span class=\"sr\">removed: </span><code>\(text(line))</code></li>"
    case .added:
      "<li class=\"added\"><span aria-hidden=\"true\">+</span><span class=\"sr\">added: </span><code>\(text(line))</code></li>"
    case .omitted(let count): "<li class=\"omitted\">\(count.counted("line"))</li>"
    }
  }

  private func text(_ line: LineDifference.Line) -> String { line.text.shortened(to: 2000) }
}

/// The test users with their variants before and after a change, those who get another one first.
struct TestedUsersView {
  let site: Site
  let editor: DefinitionEditor
  let users: [TestUserOutcome]

  /// The maximum number of users in a table.
  private static let limit = 50

  var html: HTML? {
    guard editor.hasTestUsers else { return nil }
    if let problem = editor.testUsersProblem {
      return "<p class=\"warning\">The test users cannot be read: \(problem.message.shortened(to: 600))</p>"
    }
    let moved = users.count(where: \.isAffected)
    if users.isEmpty {
      return """
        <p class="muted">There are no test users. <a href="\(site.path("/users"))">Add some</a>, and each change shows \
        which of them get another variant.</p>
        """
    }
    return """
      \(Self.table("Test users", users.prefix(Self.limit).map { ($0.name.shortened(), $0.old, $0.new) }))
      <p class="moved">\(moved == 0 ? "None" : "\(moved)") of \(users.count.counted("test user")) \
      \(moved > 1 ? "get" : "gets") another variant. <a href="\(site.path("/users"))">Test users</a></p>
      \(HTML.more(users.count - Self.limit))
      """
  }

  /// Returns a table of users with what they get before and after a change.
  static func table(_ title: String, _ users: [(name: String, old: FlagOutcome, new: FlagOutcome)]) -> HTML {
    """
    <h3>\(title)</h3><table class="tested"><caption class="sr">\(title)</caption>
    <thead><tr><th scope="col">User</th><th scope="col">Before</th><th scope="col">After</th></tr></thead>
    <tbody>\(users.map { name, before, after in
      let (isAffected, (old, new)) = (before != after, FlagOutcome.words(from: before, to: after))
      return """
        <tr\(isAffected ? " class=\"changes\"" as HTML : nil)><th scope="row">\(name)</th><td>\(old.shortened())</td>\
        <td>\(isAffected ? "→ " : "")\(new.shortened())</td></tr>
        """ as HTML
    })</tbody></table>
    """
  }
}

/// The edits of two people of one flag, and the choice of a side for each part that both edited.
struct MergeView {
  let others: EditedDefinition.Others
  /// The ids of the conflicts of which their side is chosen.
  let taken: Set<String>

  var html: HTML {
    """
    <section id="conflict" aria-label="Changes of someone else">\(banner)
    <div class="columns even">\(side("Yours", others.mine))\(side("Theirs, saved", others.theirs))</div>
    \(others.conflicts.map(choice))</section>
    """
  }

  private var banner: HTML {
    if others.conflicts.isEmpty {
      return """
        <p class="banner" role="alert">Someone else saved this flag while you were editing. Both changes are in the form \
        now: look at the effect, and save again.</p>
        """
    }
    return """
      <p class="banner" role="alert">Someone else saved this flag while you were editing, and both of you changed the \
      same. Choose a side for each part; all else of both is kept. Yours is chosen until you do.</p>
      """
  }

  private func side(_ title: String, _ side: (words: [String], lines: LineDifference)) -> HTML {
    """
    <div class="card"><h2>\(title)</h2>\
    \(DifferenceView(words: side.words.isEmpty ? ["no change"] : side.words, lines: side.lines).html)</div>
    """
  }

  private func choice(_ conflict: DefinitionMerge.Conflict) -> HTML {
    let isTheirs = taken.contains(conflict.id)
    func option(_ value: String, _ title: String, _ text: String?, _ isChosen: Bool) -> HTML {
      """
      <label class="side"><input type="radio" name="side-\(exact: conflict.id)" value="\(value)"\
      \(isChosen ? " checked" as HTML : nil)><span><b>\(title)</b> <code>\((text ?? "removed").shortened(to: 600))</code>\
      </span></label>
      """
    }
    return """
      <fieldset class="card sides"><legend>\(conflict.part)</legend>
      \(option("mine", "Yours:", conflict.mine, !isTheirs))\(option("theirs", "Theirs:", conflict.theirs, isTheirs))</fieldset>
      """
  }
}
