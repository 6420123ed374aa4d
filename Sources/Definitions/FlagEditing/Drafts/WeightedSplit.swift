package import FlagDomain
import FlagJSON

/// A split in a rule that assigns users to weighted shares.
package struct WeightedSplit: Hashable, Sendable {
  /// A share: a variant and its weight.
  package struct Entry: Hashable, Sendable {
    /// The name of the variant.
    package let variant: String
    /// The weight.
    package var weight: Int
    let path: DocumentPath
  }

  /// The shares, in order.
  package var entries: [Entry]
  /// The expression whose value decides a user's share; nil for the user id.
  let subject: FlagValue?
  /// The path of the split's arguments in the rule.
  let path: DocumentPath

  /// The sum of the weights.
  package var sum: Int { Self.sum(of: entries) }

  /// Returns the sum of weights, clamped to the largest integer.
  static func sum(of entries: [Entry]) -> Int { Int(clamping: entries.reduce(Int128(0)) { $0 + Int128($1.weight) }) }
}

extension WeightedSplit {
  /// Returns the splits of a rule in which every share is a variant name with an integer weight, in the rule's order.
  static func all(in rule: FlagValue) -> [WeightedSplit] {
    var splits: [WeightedSplit] = []
    var rest = [(rule, DocumentPath.root)]
    while let (value, path) = rest.popLast() {
      switch value {
      case .array(let elements):
        rest += elements.enumerated().reversed().map { ($1, path.appending($0)) }
      case .object(let members):
        if members.count == 1, let arguments = members["fractional"]?.elements,
          let split = WeightedSplit(arguments: arguments, at: path.appending("fractional"))
        {
          splits.append(split)
        }
        rest += members.inOrder.reversed().map { ($1, path.appending($0)) }
      default: break
      }
    }
    return splits
  }

  /// Creates the split with some arguments; nil if one of them is no variant with a number as its weight.
  package init?(arguments: [FlagValue]) { self.init(arguments: arguments, at: .root) }

  private init?(arguments: [FlagValue], at path: DocumentPath) {
    guard let entries = Self.entries(of: arguments, at: path) else { return nil }
    self.entries = entries
    self.path = path
    subject = arguments.first?.elements == nil ? arguments.first : nil
  }

  /// Returns the shares among the arguments of a split; nil if one has another form.
  static func entries(of arguments: [FlagValue], at path: DocumentPath = .root) -> [Entry]? {
    // The first argument may be the bucketing key.
    let first = arguments.first?.elements == nil ? 1 : 0
    let entries = arguments.enumerated().dropFirst(first).map { index, argument -> Entry? in
      guard let parts = argument.elements, case .string(let variant)? = parts.first else { return nil }
      guard parts.count > 1 else { return Entry(variant: variant, weight: 1, path: path.appending(index)) }
      guard case .int(let weight) = parts[1], let weight = Int(exactly: weight) else { return nil }
      return Entry(variant: variant, weight: max(0, weight), path: path.appending(index))
    }
    return entries.isEmpty || entries.contains { $0 == nil } ? nil : entries.compactMap { $0 }
  }

  /// Returns a rule's text with new weights; only their digits change, and everything else stays as written.
  static func setting(_ splits: [WeightedSplit], in rule: String) throws(FlagError) -> String {
    var text = Array(rule.utf8)
    let entries = splits.flatMap(\.entries)
    let value = try FlagValue.reading(json: rule)
    let starts = JSONLocator.offsets(of: entries.map { $0.path.appending(1) }, in: text)
    let written = Set(all(in: value).flatMap(\.entries).map(\.path))
    for (start, entry) in zip(starts, entries).sorted(by: { $0.0 > $1.0 }) where written.contains(entry.path) {
      // A share without a weight has no number to replace: the offset is that of its bracket.
      if text[start] == UInt8(ascii: "[") {
        guard entry.weight != 1, let end = JSONEditor.end(ofValueAt: start, in: text) else { continue }
        text.insert(contentsOf: ", \(entry.weight)".utf8, at: end - 1)
      } else {
        let end = text[start...].firstIndex { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) && $0 != 45 }
        text.replaceSubrange(start..<(end ?? text.endIndex), with: String(entry.weight).utf8)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension EditableRule.Outcome {
  /// Returns whether a split of the same rule is the outcome.
  package func isSplit(_ split: WeightedSplit) -> Bool { split.path == path.appending("fractional") }
}
