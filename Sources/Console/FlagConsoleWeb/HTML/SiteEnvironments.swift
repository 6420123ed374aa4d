import FlagConsole
import FlagConsoleEditor
import FlagHTTP

/// The environments that a site is one of, for the way from one to another.
struct SiteEnvironments: Sendable {
  let all: FlagEnvironments
  /// The base path of all pages, below which each environment has its own.
  let base: String
  /// The number of the shown environment; nil on the page that compares them.
  var current: Int?
  /// The part of the address that an environment's base path stands before.
  var rest = "/"

  /// The address of the page that compares the environments.
  var comparison: String { "\(base)/environments" }

  /// Returns the base path of an environment.
  func base(of number: Int) -> String { "\(base)/\(all.all[number].name)" }

  /// Returns the address in an environment of the flag or the page that is shown in this one.
  func path(toSameIn number: Int) -> String { base(of: number) + rest }

  /// Returns whether the person of a console may edit the definitions of an environment.
  func mayEdit(_ number: Int, in console: ConsoleModel) -> Bool {
    let environment = all.all[number]
    return environment.console.access.narrowed(to: console.access.person, in: environment.name).permission == .edit
  }

  /// Returns the address of the page that promotes a flag from one environment to another.
  func path(promoting key: String, from source: Int, to target: Int) -> String {
    let site = Site(console: all.all[target].console, base: base(of: target))
    return "\(site.path(ofFlag: key, "/promote"))?from=\(PercentEncoding.encode(all.all[source].name))"
  }
}

extension [ConsoleModel] {
  /// The revisions of all, as windows compare them.
  var revision: String { map { "\($0.revision)" }.joined(separator: "-") }
}

extension Site {
  /// The name of the environment; nil if the console is alone.
  var environmentName: String? {
    environments.flatMap { environments in environments.current.map { environments.all.all[$0].name } }
  }

  /// Returns the site as it shows the page of a target: links to other environments lead to the same page there.
  func showing(_ target: String) -> Site {
    guard environments != nil, target.hasPrefix(base + "/") else { return self }
    var site = self
    let path = target.dropFirst(base.count).prefix { $0 != "?" }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    // A page that a form leads to has no address of its own: the flag, or the first part, has.
    site.environments?.rest =
      switch (parts.first, parts.count) {
      case ("", _): String(target.dropFirst(base.count))
      case ("flags", 2...): "/" + parts.prefix(2).joined(separator: "/")
      case ("history", _), ("share", _), ("users", _): "/" + parts.prefix(1).joined()
      default: "/"
      }
    return site
  }
}
