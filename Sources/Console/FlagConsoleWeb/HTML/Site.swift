import FlagConsole
import FlagConsoleEditor
import FlagEditing
import FlagHTTP

/// A console and the base path of its pages, which is empty if they are at the root of a server.
struct Site: Sendable {
  var console: ConsoleModel
  var base = ""
  /// Whether the base path has a secret, so that an address opens for this browser only.
  var isSecret = false
  /// The environments beside which the console stands; nil if it is alone.
  var environments: SiteEnvironments?

  var home: String { path("/") }

  func path(_ path: String) -> String { base + path }

  func path(ofFlag key: String, _ rest: String = "") -> String {
    "\(base)/flags/\(PercentEncoding.encode(Self.component(ofKey: key)))\(rest)"
  }

  /// Returns a key as a component of a path: a key that paths cannot have, such as "..", encoded after a tilde.
  private static func component(ofKey key: String) -> String {
    let hasControls = key.utf8.contains { $0 < 0x20 || $0 == 0x7F }
    let isPlain = !hasControls && !["", ".", ".."].contains(key) && key.first != "~"
    return isPlain ? key : "~" + PercentEncoding.encode(key)
  }

  /// Returns the key that a component of a path names.
  static func key(inComponent text: String) -> String {
    guard text.first == "~" else { return text }
    return PercentEncoding.decode(text.dropFirst()) ?? text
  }

  /// Returns the address of a group's list; without names, that of the whole list.
  func path(ofGroup path: [String]) -> String {
    path.isEmpty ? home : "\(home)?group=\(PercentEncoding.encode(path.formValue))"
  }
}

extension RequestTarget {
  /// The part of the query that selects the flags of a list, for another address; empty if all are shown.
  var listQuery: String {
    let names = ["q", "state", "provider", "group", "internal", "sort", "tag", "owner"]
    let items = query.filter { names.contains($0.name) && !$0.value.isEmpty }
    return items.isEmpty
      ? "" : "?" + items.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
  }
}

extension [String] {
  /// The group names as a single form value.
  var formValue: String { map { PercentEncoding.encode($0) }.joined(separator: "/") }

  /// Reads group names from a form value; empty if it is malformed.
  init(formValue: String) {
    let names = formValue.split(separator: "/", omittingEmptySubsequences: false).map { PercentEncoding.decode($0) }
    self = formValue.isEmpty || names.contains(nil) ? [] : names.compactMap { $0 }
  }
}

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
  /// The shown environment; nil if the console is alone, and on the page that compares all.
  private var environment: FlagEnvironments.Environment? {
    environments.flatMap { environments in environments.current.map { environments.all.all[$0] } }
  }

  /// The name of the environment; nil if there is none.
  var environmentName: String? { environment?.name }

  /// The change of definitions that was saved last and can be taken back here; nil if there is none.
  var savedChange: SavedChange? { console.access.permission == .edit ? console.editor?.savedChange : nil }

  /// Whether the last change that can be taken back here is one of overrides.
  var undoesOverride: Bool { (console.undoNumber ?? 0) > (console.editor?.savedNumber ?? 0) }

  var isProduction: Bool { environment?.isProduction == true }

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
