import FlagDomain

package struct Variable: Sendable {
  /// The attribute that the first name denotes; nil for the whole data.
  let first: ContextAttribute?
  let rest: [String]
  /// Whether the first name is the reserved one for data that rules see in addition to the context.
  let isReserved: Bool

  static let whole = Variable(first: nil, rest: [], isReserved: false)

  package enum Reserved {
    package static let name = "$flagd"
    package static let flagKey = "flagKey"
    package static let timestamp = "timestamp"
  }

  var includesTime: Bool {
    guard first != nil else { return true }
    return isReserved && (rest.first.map { $0.isIdentical(to: Reserved.timestamp) } ?? true)
  }

  var isTime: Bool { isReserved && rest.count == 1 && rest[0].isIdentical(to: Reserved.timestamp) }

  /// Returns whether the path has fewer bytes than a limit; it stops counting at the limit.
  func isPathShorter(than limit: Int) -> Bool {
    var count = first?.name.utf8.count ?? 0
    for name in rest where count < limit { count += 1 + name.utf8.count }
    return count < limit
  }

  var path: String { first.map { ([$0.name] + rest).joined(separator: ".") } ?? "" }
}

extension Variable {
  /// Creates a variable from its names joined by dots; an empty name counts, too.
  init(path: String) {
    var names = path.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)[...]
    let first = names.popFirst().map { String(Substring($0)) } ?? ""
    self.init(
      first: ContextAttribute(first), rest: names.map { String(Substring($0)) },
      isReserved: first.isIdentical(to: Reserved.name))
  }
}
