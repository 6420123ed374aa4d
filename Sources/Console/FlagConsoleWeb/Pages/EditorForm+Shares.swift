import FlagConsole
import FlagDomain
import FlagEditing
import FlagHTTP

extension EditorForm {
  static func typed(_ split: Int, _ entry: Int) -> String { "share-\(split)-\(entry)" }
  static func slid(_ split: Int, _ entry: Int) -> String { "slider-\(split)-\(entry)" }
  static func weight(_ split: Int, _ entry: Int) -> String { "was-\(split)-\(entry)" }
  static func sticky(_ split: Int) -> String { "sticky-\(split)" }

  /// Returns the position of a slider, in tenths of a percent.
  static func position(of weight: Int, in sum: Int) -> Int {
    sum > 0 && (0...sum).contains(weight) ? Int((Double(weight) * 1000 / Double(sum)).rounded()) : 0
  }

  /// Returns the numbers of the splits that a form has shares of.
  static func numbers(in form: ConsoleForm) -> [Int] {
    let numbers = form.fields.compactMap { field -> Int? in
      let parts = field.name.split(separator: "-")
      return parts.count == 3 && parts[0] == "was" ? Int(parts[1]) : nil
    }
    return Set(numbers).sorted()
  }

  mutating func setShares(ofSplit number: Int, _ form: ConsoleForm) throws(FlagError) {
    var weights: [Int] = []
    while let weight = form[Self.weight(number, weights.count)].flatMap({ Int($0) }) { weights.append(weight) }
    let sum = Int(clamping: weights.reduce(Int128(0)) { $0 + Int128($1) })
    // What a button replaces need not be right.
    if form["do"] == "equal-shares:\(number)" { return }
    let shares = weights.enumerated().map { entry, weight in
      form["do"] == "remove-share:\(number)-\(entry)" ? nil : Self.share(form, number, entry, weight, of: sum)
    }
    let isMoved = shares.contains { $0 != nil }
    let (sticky, was) = (form[Self.sticky(number)], form["sticky-was-\(number)"])
    guard isMoved || sticky != was else { return }
    let splits = draft.splits
    guard splits.indices.contains(number), splits[number].entries.map(\.weight) == weights,
      was == nil || was == splits[number].stickiness
    else {
      throw FlagError(
        .general, "the shares and the rule were both edited: expected one of them, found shares of another rule")
    }
    if isMoved { try draft.setShares(shares, ofSplit: number) }
    if let sticky, sticky != was { try draft.setStickiness(sticky, ofSplit: number) }
  }

  /// Does what a button of the shares says.
  mutating func changeShares(_ form: ConsoleForm) throws(FlagError) {
    let (action, numbers) = Self.pressed(form)
    guard let split = numbers.first.flatMap({ $0 }).flatMap({ Int(exactly: $0) }) else { return }
    switch action {
    case "equal-shares": try draft.equalizeShares(ofSplit: split)
    case "add-share": try draft.addShare(of: form["add-\(split)"] ?? "", toSplit: split)
    case "remove-share":
      guard let entry = numbers.dropFirst().first.flatMap({ $0 }).flatMap({ Int(exactly: $0) }) else { return }
      try draft.removeShare(entry, fromSplit: split)
    default: break
    }
  }

  /// Does what a button of the plan or of the rule's text says, after all fields were read.
  mutating func perform(_ form: ConsoleForm) throws(FlagError) {
    let (action, numbers) = Self.pressed(form)
    if action == "lay-out" { try draft.layOutRule() } else { try plan(action, numbers.first.flatMap { $0 }) }
  }

  /// Returns the action of the pressed button, and the numbers of what it acts on.
  private static func pressed(_ form: ConsoleForm) -> (action: String, numbers: [Int64?]) {
    let parts = (form["do"] ?? "").split(separator: ":", maxSplits: 1).map(String.init)
    return (parts.first ?? "", parts.count > 1 ? parts[1].split(separator: "-").map { Int64($0) } : [])
  }

  /// Returns the percentage that was typed or set by the slider; nil if neither was edited.
  private static func share(
    _ form: ConsoleForm, _ split: Int, _ entry: Int, _ weight: Int, of sum: Int
  ) -> String? {
    let usual = RuleExplanation.percentNumber(weight, of: sum)
    if let typed = form[Self.typed(split, entry)], typed != usual { return typed }
    guard let position = form[slid(split, entry)].flatMap({ Int($0) }), position != Self.position(of: weight, in: sum)
    else { return nil }
    return position % 10 == 0 ? "\(position / 10)" : "\(position / 10).\(position % 10)"
  }
}
