import FlagConsole
import FlagDomain
import FlagHTTP
import FlagServer

/// The route of the page that shows the environments side by side.
struct EnvironmentRoutes {
  let sites: ConsoleSites

  var comparison: Router.Route {
    sites.get("/environments") { site, request in
      guard var places = site.environments else {
        throw FlagError(.flagNotFound, "This console has one environment.")
      }
      places.current = nil
      places.rest = "/"
      var site = site
      site.environments = places
      return EnvironmentsPage(site, places, request.target).response
    }
  }
}
