package import FlagDomain
import FlagJSON

extension WeightedSplit {
  /// The attribute whose value decides a user's share, or another expression as JSON; empty for the user id.
  package var stickiness: String { attribute ?? subject?.description ?? "" }

  /// Whether all users without the attribute are in one share; if not, they are in none.
  package var groupsUsersWithoutAttribute: Bool { salted != nil }

  /// The attribute whose value decides a user's share; nil for the user id or another expression.
  private var attribute: String? {
    let variable = salted ?? subject
    guard let fields = variable?.fields, fields.count == 1 else { return nil }
    return fields["var"]?.string
  }

  /// The variable after the flag's key, which makes the shares of each flag independent.
  private var salted: FlagValue? {
    guard let parts = subject?.argument(of: "cat"), parts.count == 2, parts[0] == ["var": "$flagd.flagKey"] else {
      return nil
    }
    return parts[1]
  }

  /// Returns the JSON of the expression for a stickiness that a person entered; nil for the user id.
  fileprivate func subject(entering text: String) throws(FlagError) -> String? {
    if ["", "targetingKey", "user id"].contains(text) { return nil }
    if text.hasPrefix("{") {
      do throws(FlagError) {
        _ = try FlagValue.reading(json: text)
        return text
      } catch {
        throw FlagError(.parseError, "same users by: \(error.message)")
      }
    }
    let variable = #"{"var": \#(FlagValue.string(text).description)}"#
    let isPlain = attribute != nil && salted == nil
    return isPlain ? variable : #"{"cat": [{"var": "$flagd.flagKey"}, \#(variable)]}"#
  }
}

extension DefinitionDraft {
  /// Gives all shares of a split the same weight.
  ///
  /// The sum of the weights stays if it can; or else each weight is 1, so that the shares are equal and not nearly so.
  ///
  /// - Throws: A parse error if the rule is not JSON, or an error if there is no such split.
  package mutating func equalizeShares(ofSplit number: Int) throws(FlagError) {
    let split = try split(number)
    let count = split.entries.count
    let weight = split.sum > 0 && split.sum.isMultiple(of: count) ? split.sum / count : 1
    try setWeights(Array(repeating: weight, count: count), ofSplit: number)
  }

  /// Sets the attribute by which users keep their share of a split.
  ///
  /// A new attribute is combined with the flag's key, so that flags split the same companies independently; the
  /// expression of a split that does not do so stays like that.
  ///
  /// - Parameters:
  ///   - text: The attribute's name; empty for the user id. A text that begins with a brace is an expression in JSON.
  ///   - number: The number of the split.
  /// - Throws: A parse error if the rule or the expression is not JSON, or an error if there is no such split.
  package mutating func setStickiness(_ text: String, ofSplit number: Int) throws(FlagError) {
    let split = try split(number)
    guard text != split.stickiness else { return }
    let (subject, path) = (try split.subject(entering: text), split.path)
    try edit { editor throws(FlagError) in
      switch (split.subject, subject) {
      case (nil, nil): break
      case (nil, let new?): try editor.insert(new, at: 0, in: path)
      case (_?, let new?): try editor.replace(path.appending(0), with: new)
      case (_?, nil): try editor.remove(path.appending(0))
      }
    }
  }

  /// Adds a variant without users to a split.
  ///
  /// - Throws: A parse error if the rule is not JSON, or an error if there is no such split or variant, or if the split
  ///   has the variant.
  package mutating func addShare(of variant: String, toSplit number: Int) throws(FlagError) {
    let split = try split(number)
    guard variants.contains(variant), !split.entries.contains(where: { $0.variant == variant }) else {
      throw FlagError(.general, "expected a variant that is in no share yet, found \(variant.excerpt)")
    }
    let end = split.entries.count + (split.subject == nil ? 0 : 1)
    try edit { editor throws(FlagError) in
      try editor.insert("[\(FlagValue.string(variant).description), 0]", at: end, in: split.path)
    }
  }

  /// Removes a share of a split; its users are shared among the others.
  ///
  /// - Throws: A parse error if the rule is not JSON, or an error if there is no such split or share, or if it is the
  ///   only one.
  package mutating func removeShare(_ index: Int, fromSplit number: Int) throws(FlagError) {
    let split = try split(number)
    guard split.entries.indices.contains(index) else { throw FlagError(.general, "expected a share of the split") }
    guard split.entries.count > 1 else { throw FlagError(.general, "expected at least one share in a split") }
    try edit { editor throws(FlagError) in try editor.remove(split.entries[index].path) }
  }

  /// Lays the rule out for reading.
  ///
  /// - Throws: A parse error, with line and column, if the rule is not JSON.
  package mutating func layOutRule() throws(FlagError) {
    if !rule.allSatisfy(\.isWhitespace) { rule = try JSONFormatter.laidOut(rule) }
  }

  private func split(_ number: Int) throws(FlagError) -> WeightedSplit {
    let splits = splits
    guard splits.indices.contains(number) else { throw FlagError(.general, "expected a split of the rule") }
    return splits[number]
  }

  private mutating func edit(_ body: (inout JSONEditor) throws(FlagError) -> Void) throws(FlagError) {
    var editor = try JSONEditor(Array(rule.utf8))
    try body(&editor)
    rule = String(decoding: editor.text, as: UTF8.self)
  }
}
