import FlagDomain
import FlagHTTP

/// The page in place of one that cannot be shown.
struct FailurePage {
  let site: Site
  let error: FlagError
  var status: HTTPStatus?

  var response: HTTPResponse {
    let status = status ?? (error.code == .flagNotFound ? .notFound : .unprocessableContent)
    return Page(
      title: "Flags",
      content: """
        <div class="empty">\(Icon.search)<h1>\(status == .notFound ? "Not found" : "That did not work")</h1>
        <p>\(error.message)</p><p><a href="\(site.home)">All flags</a></p></div>
        """
    ).response(site, status)
  }
}
