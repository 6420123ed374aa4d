import FlagConsole
import FlagDomain
import FlagHTTP
import FlagServer

/// The routes of the page that shows the environments side by side, and of promoting a flag from one to another.
struct EnvironmentRoutes {
  let sites: ConsoleSites

  /// The routes of the page for all environments, which is beside theirs.
  var comparison: [Router.Route] {
    [
      sites.get("/environments") { site, request in
        guard var environments = site.environments else { throw Self.isAlone }
        (environments.current, environments.rest) = (nil, "/")
        var site = site
        site.environments = environments
        return EnvironmentsPage(site, environments, request.target).response
      },
      .init(
        .get, "/environments/events",
        .immediate { [sites] request in
          .events((sites.visitors.comparison ?? sites.visit(of: request.message)).events)
        }),
    ]
  }

  /// The routes of each environment.
  var promotion: [Router.Route] {
    [
      sites.waiting(.get, "/flags/{key}/promote") { site, request in
        let page = try Self.page(site, request, nil)
        return try page.saving.review(page.response)
      },
      sites.waiting(.post, "/flags/{key}/promote") { site, request in
        let page = try Self.page(site, request, ConsoleForm(request.message.body))
        return try await page.saving.response(then: site.path(ofFlag: request.flagKey), page.response)
      },
    ]
  }

  private static func page(
    _ site: Site, _ request: ServerRequest, _ form: ConsoleForm?
  ) throws(FlagError) -> (saving: Saving, response: (ReviewCard) -> HTTPResponse) {
    guard let environments = site.environments else { throw isAlone }
    let (key, name) = (request.flagKey, request.target.value(of: "from") ?? "")
    guard let source = environments.all.all.first(where: { $0.name == name }), name != site.environmentName else {
      throw FlagError(.flagNotFound, "There is no other environment “\(name.shortened(to: 60))”.")
    }
    let takesRules = form?["rules"] != nil
    let promotion = try site.console.promotion(of: key, from: source, takingRules: takesRules)
    let missing = takesRules ? [] : promotion.missingRules
    let words = "\(site.environmentName ?? "") lacks the shared rules: \(missing.joined(separator: ", "))"
    let problem = missing.isEmpty ? nil : FlagError(.general, words)
    let saving = Saving(
      problem == nil ? promotion.change : nil, problem: problem, form, on: site, action: "Promote",
      cancel: site.path(ofFlag: key))
    return (
      saving,
      { card in
        PromotePage(
          site: site, key: key, source: name, promotion: promotion, takesRules: takesRules, card: card
        ).response
      }
    )
  }

  private static var isAlone: FlagError { FlagError(.flagNotFound, "This console has one environment.") }
}
