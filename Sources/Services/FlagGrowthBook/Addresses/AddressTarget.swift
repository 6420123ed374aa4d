import FlagPatterns

/// A rule about the addresses of pages on which an experiment runs, or does not.
struct AddressTarget: Sendable {
  enum Kind: Sendable {
    /// The parts of the address have the wildcard patterns.
    case simple(SimpleAddress)
    /// The address, or the part of it after the host, has the pattern.
    case pattern(Pattern)
    /// No address is targeted, because the pattern is unusable.
    case none
  }

  let isIncluding: Bool
  let kind: Kind

  /// The address that relative ones belong to.
  static let base = WebAddress("https://_")
}

extension AddressTarget {
  /// Returns whether an address is targeted; nil if there were too few steps.
  func matches(_ address: WebAddress, within steps: inout Int) -> Bool? {
    switch kind {
    case .none: return false
    case .simple(let simple): return simple.matches(address, within: &steps)
    case .pattern(let pattern):
      for text in [address.text, address.reference] {
        guard let found = pattern.matches(text, within: &steps) else { return nil }
        if found { return true }
      }
      return false
    }
  }
}

/// An address with wildcards, such as `*.example.com/shop/*`.
struct SimpleAddress: Sendable {
  private let host: Wildcard
  private let path: Wildcard
  private let fragment: Wildcard?
  private let items: [(name: String, value: Wildcard)]

  /// Parses an address, in which a star stands for any text; nil if it cannot be read.
  init?(_ text: String) {
    // A dot in the first part shows that it is a host, and not a path.
    let head = text.prefix { $0 != ":" && $0 != "/" && $0 != "?" }
    let whole =
      (head.contains(".") ? "https://" : "")
      + text.split(
        separator: "*", omittingEmptySubsequences: false
      ).joined(separator: Wildcard.mark)
    guard let address = WebAddress(whole, relativeTo: WebAddress("https://" + Wildcard.mark)) else { return nil }
    host = Wildcard(address.host)
    var path = address.path[...]
    if path.hasPrefix("/") { path = path.dropFirst() }
    if path.hasSuffix("/") { path = path.dropLast() }
    self.path = Wildcard(String(path))
    fragment = address.fragment.flatMap { $0.isEmpty ? nil : Wildcard("#" + $0) }
    items = QueryItems(address.query ?? "").items.map { ($0.name, Wildcard($0.value)) }
  }

  /// Returns whether the parts of an address have the wildcards; nil if there were too few steps.
  func matches(_ address: WebAddress, within steps: inout Int) -> Bool? {
    var isMatching = host.matches(address.host, within: &steps) && matchesPath(address.path, within: &steps)
    if isMatching, let fragment {
      isMatching = fragment.matches(address.fragment.map { "#" + $0 } ?? "", within: &steps)
    }
    if isMatching, !items.isEmpty {
      let actual = QueryItems(address.query ?? "")
      steps -= actual.items.count * items.count
      isMatching = items.allSatisfy { $0.value.matches(actual[$0.name] ?? "", within: &steps) }
    }
    return steps < 0 ? nil : isMatching
  }

  /// Compares the path; a slash at its beginning or its end is optional.
  private func matchesPath(_ path: String, within steps: inout Int) -> Bool {
    var candidates = [path[...]]
    if path.hasPrefix("/") { candidates.append(path.dropFirst()) }
    candidates += candidates.filter { $0.hasSuffix("/") }.map { $0.dropLast() }
    return candidates.contains { self.path.matches(String($0), within: &steps) }
  }
}

/// A text with places for any other text, which is compared without regard to case.
struct Wildcard: Sendable {
  /// The mark of a place.
  static let mark = "_____"

  /// The texts between the places.
  private let parts: [[UInt8]]

  init(_ text: String) {
    var parts: [[UInt8]] = [[]]
    var rest = text.lowercased().utf8[...]
    while let byte = rest.first {
      if rest.starts(with: Self.mark.utf8) {
        parts.append([])
        rest = rest.dropFirst(Self.mark.utf8.count)
      } else {
        parts[parts.count - 1].append(byte)
        rest = rest.dropFirst()
      }
    }
    self.parts = parts
  }

  /// Returns whether a text has the wildcards; false if there were too few steps, which are below zero then.
  func matches(_ text: String, within steps: inout Int) -> Bool {
    let text = Array(text.lowercased().utf8)
    guard parts.count > 1 else { return text == parts[0] }
    let (first, last) = (parts[0], parts[parts.count - 1])
    guard text.count >= first.count + last.count, text.starts(with: first), text.suffix(last.count).elementsEqual(last)
    else { return false }
    var rest = text[first.count..<text.count - last.count]
    for part in parts[1..<parts.count - 1] {
      while !rest.starts(with: part) {
        steps -= 1 + part.count / 8
        guard steps >= 0, rest.popFirst() != nil else { return false }
      }
      rest = rest.dropFirst(part.count)
    }
    return true
  }
}
