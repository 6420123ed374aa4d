import FlagConsoleEditor
import FlagDomain
import FlagHTTP
import FlagServer

/// The routes of the page that shows the environments side by side, and of promoting a flag from one to another.
struct EnvironmentRoutes {
  let sites: ConsoleSites

  /// The routes of the page for all environments, which is beside theirs.
  var comparison: [Router.Route] {
    [
      sites.route(.get, "/environments") { site, request in
        guard var environments = site.environments else { throw Self.isAlone }
        (environments.current, environments.rest) = (nil, "/")
        var site = site
        site.environments = environments
        return EnvironmentsPage(site, environments, request.target).response
      },
      .init(
        .get, "/environments/events",
        .immediate { [sites] request in
          .events((sites.visitors.comparison ?? sites.visit(of: request)).events)
        }),
    ]
  }

  /// The routes of each environment.
  var promotion: [Router.Route] { sites.changing("/flags/{key}/promote", Self.promote) }

  private static func promote(
    _ site: Site, _ editor: DefinitionEditor, _ request: ServerRequest, _ form: ConsoleForm?
  ) async throws -> HTTPResponse {
    guard let environments = site.environments else { throw isAlone }
    let (key, name) = (request.flagKey, request.target.value(of: "from") ?? "")
    guard let source = environments.all.all.first(where: { $0.name == name }), name != site.environmentName else {
      throw FlagError(.flagNotFound, "There is no other environment “\(name.shortened(to: 60))”.")
    }
    let takesRules = form?["rules"] != nil
    let promotion = try editor.promotion(of: key, from: source, takingRules: takesRules)
    let missing = takesRules ? [] : promotion.missingRules
    let words = "\(site.environmentName ?? "") lacks the shared rules: \(missing.joined(separator: ", "))"
    let problem = missing.isEmpty ? nil : FlagError(.general, words)
    let path = site.path(ofFlag: key)
    let names = (name, site.environmentName ?? "")
    let saving = SaveRequest(
      problem == nil ? promotion.change : nil, problem: problem, form, on: site, editor,
      action: "Promote to \(names.1)", cancel: path)
    func page(_ card: ReviewCard) -> HTTPResponse {
      return ChangePage(
        site: site, kind: "promote", title: "Promote \(key.shortened())",
        heading: "Promote from \(names.0) to \(names.1)",
        key: key, back: (environments.comparison, "Environments"),
        action: "\(path)/promote?from=\(PercentEncoding.encode(name))",
        fields: promotion.fields(from: names.0, to: names.1, takesRules: takesRules), card: card
      ).response
    }
    return try await saving.response(then: path, page)
  }

  private static var isAlone: FlagError { FlagError(.flagNotFound, "This console has one environment.") }
}

extension FlagPromotion {
  /// Returns the definition in words, the shared rules that the flag needs, and the choice to promote them, too.
  fileprivate func fields(from source: String, to name: String, takesRules: Bool) -> HTML {
    let text =
      isNew
      ? "\(name) does not have this flag yet. It is added as it is in \(source)."
      : "The definition in \(name) is replaced by the one in \(source): state, variants, default variant, rule and metadata."
    func list(_ words: String, _ names: [String]) -> HTML? {
      let names = names.map { $0.shortened(to: 60) }.joined(separator: ", ")
      return names.isEmpty ? nil : "<p class=\"warning\">\(words) in \(name): \(names).</p>"
    }
    let rules: HTML = """
      <section class="card" aria-labelledby="rules-title"><h2 id="rules-title">Shared rules</h2>
      \(list("Missing", missingRules))\(list("Other", differingRules))
      \(HTML.check("rules", "Promote these, too", isChosen: takesRules))
      <p class="muted">Other flags of \(name) that use them change as well: the review shows which ones.</p>
      </section>
      """
    return """
      <section class="card"><h2>Definition</h2><p>\(text)</p></section>
      \(missingRules.isEmpty && differingRules.isEmpty ? nil : rules)
      """
  }
}
