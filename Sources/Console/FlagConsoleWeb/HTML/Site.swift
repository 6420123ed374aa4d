import FlagConsole
import FlagDomain
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
