import FlagConsole
import FlagDomain
import FlagHTTP

/// A console, and where its pages are: the path that they are below, empty where they are a server's only ones.
struct Site: Sendable {
  let console: FlagBrowser
  var base = ""
}

extension Site {
  var home: String { path("/") }

  func path(_ path: String) -> String { base + path }

  func path(ofFlag key: String, _ rest: String = "") -> String {
    "\(base)/flags/\(PercentEncoding.encode(key))\(rest)"
  }

  /// Returns the address of a group's list; that of the whole list for no names.
  func path(ofGroup path: [String]) -> String {
    path.isEmpty ? home : "\(home)?group=\(PercentEncoding.encode(path.formValue))"
  }
}

extension RequestTarget {
  /// What of the query says which flags a list has, as another address of them ends; empty where all are shown.
  var listQuery: String {
    let names = ["q", "state", "provider", "group", "internal"]
    let items = query.filter { names.contains($0.name) && !$0.value.isEmpty }
    return items.isEmpty
      ? "" : "?" + items.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
  }
}

extension [String] {
  /// The names of groups as one value of a form.
  var formValue: String { map { PercentEncoding.encode($0) }.joined(separator: "/") }

  /// Reads the names of groups; none where the text is no such value.
  init(formValue: String) {
    let names = formValue.split(separator: "/", omittingEmptySubsequences: false).map { PercentEncoding.decode($0) }
    self = formValue.isEmpty || names.contains(nil) ? [] : names.compactMap { $0 }
  }
}

extension FlagQuestion {
  /// What a form says of a change, for the script to ask before it sends the form.
  var attribute: HTML { " data-confirm=\"\(title)\n\(message)\"" }
}
