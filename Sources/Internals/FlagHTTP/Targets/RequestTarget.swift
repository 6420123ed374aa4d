/// The path and the query of a request's target, decoded.
package struct RequestTarget: Hashable, Sendable {
  /// The components of the path between its slashes; empty for a lone slash.
  ///
  /// An empty component means a double slash, or a slash at the end of the path.
  package private(set) var path: [String]
  /// The names and values of the query, in order.
  package let query: [QueryItem]

  /// A name and its value; the value is empty if there was no equals sign.
  package struct QueryItem: Hashable, Sendable {
    package let name: String
    package let value: String
  }

  /// Parses a target that begins with a slash, or with a scheme and a host; nil if it is neither or badly encoded.
  ///
  /// A component that is "." or "..", encoded or not, is refused: clients resolve those before they send. So no parsed
  /// path leads out of its root. NUL and control characters are refused, too. An encoded slash is part of a name, never
  /// a
  /// separator.
  package init?(_ target: String) {
    var rest = Substring(target)
    if let authority = Self.authority(of: rest) {
      rest = rest[authority.endIndex...]
      if rest.isEmpty || rest.first == "?" { rest = "/" + rest }
    }
    guard rest.utf8.first == UInt8(ascii: "/") else { return nil }
    let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = Self.path(parts[0].dropFirst()), let query = Self.query(parts.count == 2 ? parts[1] : "")
    else { return nil }
    self.path = path
    self.query = query
  }

  /// Returns the first value of a name in the query.
  package func value(of name: String) -> String? { query.first { $0.name == name }?.value }

  /// Returns the target without a prefix of its path; itself if the path does not begin with it.
  package func removing(prefix: [String]) -> RequestTarget {
    guard !prefix.isEmpty, path.starts(with: prefix) else { return self }
    var target = self
    target.path.removeFirst(prefix.count)
    return target
  }

  /// Returns the host and port of a target in absolute form; nil for one that begins with a slash.
  static func authority(of target: Substring) -> Substring? {
    guard target.prefix(7).equalsIgnoringASCIICase("http://") else { return nil }
    return target.dropFirst(7).prefix { $0 != "/" && $0 != "?" }
  }

  private static func path(_ text: Substring) -> [String]? {
    guard !text.isEmpty else { return [] }
    var path: [String] = []
    for part in text.split(separator: "/", omittingEmptySubsequences: false) {
      guard let part = PercentEncoding.decode(part), part != ".", part != "..",
        part.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
      else { return nil }
      path.append(part)
    }
    return path
  }

  private static func query(_ text: Substring) -> [QueryItem]? {
    var items: [QueryItem] = []
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = PercentEncoding.decode(parts[0], plusIsSpace: true),
        let value = PercentEncoding.decode(parts.count == 2 ? parts[1] : "", plusIsSpace: true)
      else { return nil }
      items.append(QueryItem(name: name, value: value))
    }
    return items
  }
}
