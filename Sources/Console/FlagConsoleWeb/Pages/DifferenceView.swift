import FlagConsole
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
      <h3>Test users</h3>
      <p class="moved">\(moved == 0 ? "None" : "\(moved)") of \(users.count) \(users.count == 1 ? "test user" : "test users") \
      \(moved == 1 || moved == 0 ? "gets" : "get") another variant. <a href="\(site.path("/users"))">Test users</a></p>
      <table class="tested"><caption class="sr">Test users</caption>
      <thead><tr><th scope="col">User</th><th scope="col">Before</th><th scope="col">After</th></tr></thead>
      <tbody>\(users.prefix(Self.limit).map(row))</tbody></table>
      \(HTML.more(users.count - Self.limit))
      """
  }

  private func row(_ user: TestUserOutcome) -> HTML {
    let (old, new) = user.words
    return """
      <tr\(user.isAffected ? " class=\"changes\"" as HTML : nil)><th scope="row">\(user.name.shortened())</th>\
      <td>\(old.shortened())</td><td>\(user.isAffected ? "→ \(new.shortened())" as HTML : "\(new.shortened())")</td></tr>
      """
  }
}

extension TestUserOutcome {
  fileprivate var words: (old: String, new: String) { FlagOutcome.words(from: old, to: new) }
}
