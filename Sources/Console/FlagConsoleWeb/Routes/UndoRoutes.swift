import FlagConsole
import FlagDomain
import FlagEditing
import FlagHTTP
import FlagServer

/// The routes that take back the change of definitions that was saved last, and that dismiss the notice of it.
struct UndoRoutes {
  let sites: ConsoleSites

  var all: [Router.Route] {
    [
      sites.waiting(.get, "/saved/undo") { site, _ in
        try Self.saving(site, nil).review { UndoPage(site: site, card: $0).response }
      },
      sites.waiting(.post, "/saved/undo") { site, request in
        let form = ConsoleForm(request.message.body)
        let saving = try Self.saving(site, form)
        return try await saving.response(then: Self.place(site)) { UndoPage(site: site, card: $0).response }
      },
      .init(
        .post, "/saved/dismiss",
        .immediate { [sites] request in
          .response(
            sites.answer(request.message) { site in
              let place = Self.place(site)
              site.console.forgetSavedChange()
              return HTTPResponse(seeing: place).shown(to: request)
            })
        }),
      sites.leading("/saved/dismiss") { site, _ in site.home },
    ]
  }

  private static func saving(_ site: Site, _ form: ConsoleForm?) throws(FlagError) -> Saving {
    let (change, changedAgain) = try site.console.undoingSavedChange()
    let keys = changedAgain.prefix(5).joined(separator: ", ")
    return Saving(
      change, form, on: site, action: "Undo", cancel: place(site),
      warning: changedAgain.isEmpty
        ? nil : "Changed again since then, which undoing takes back, too: \(keys)\(changedAgain.count > 5 ? " …" : "")."
    )
  }

  /// The address of the changed flag's page; that of the list if there are several flags, or it is gone.
  private static func place(_ site: Site) -> String {
    guard let keys = site.console.savedChange?.keys, keys.count == 1, site.console.detail(keys[0]) != nil else {
      return site.home
    }
    return site.path(ofFlag: keys[0])
  }
}

private struct UndoPage {
  let site: Site
  let card: ReviewCard

  var response: HTTPResponse {
    Page(
      title: "Undo · Flags", kind: "undo",
      content: """
        <nav class="crumbs" aria-label="Breadcrumb"><a href="\(card.cancel)">\(Icon.back)Back</a></nav>
        <h1>Undo: \(site.console.savedChange?.title ?? "")</h1>
        \(card.notice)
        <form method="post" action="\(site.path("/saved/undo"))" class="column">\(card.html)</form>
        """
    ).response(site, card.status)
  }
}
