/// The branches of a file's conditions, and what each of them holds.
struct Branches {
  /// Lines that are compiled if all of some conditions hold.
  struct Branch {
    /// The line of `#if`, `#elseif` or `#else`, from 1.
    let line: Int
    /// The line itself.
    let text: String
    /// The full condition: its own, that no earlier branch is taken, and those of the enclosing branches.
    let conditions: [Condition]
    /// The lines of code that are in it.
    var code: [String] = []
  }

  private(set) var all: [Branch] = []
  /// Lines whose condition cannot be read.
  private(set) var unreadable: [Int] = []

  init(of text: String) {
    // For each `#if` that is open: its branch, and the conditions of those before it.
    var open: [(branch: Int?, before: [Condition])] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let words = line.drop { $0 == " " }
      if words.hasPrefix("#if ") || words.hasPrefix("#elseif ") || words == "#else" {
        let before = words.hasPrefix("#if ") ? [] : open.popLast()?.before ?? []
        let condition = words == "#else" ? nil : Condition(words.drop { $0 != " " })
        if condition == nil, words != "#else" { unreadable.append(index + 1) }
        let outer = open.last?.branch.map { all[$0].conditions } ?? []
        let own = before.map(Condition.not) + (condition.map { [$0] } ?? [])
        all.append(Branch(line: index + 1, text: String(words), conditions: outer + own))
        open.append((all.count - 1, before + (condition.map { [$0] } ?? [])))
      } else if words.hasPrefix("#endif") {
        _ = open.popLast()
      } else if !words.isEmpty, !words.hasPrefix("//"), let branch = open.last?.branch {
        all[branch].code.append(String(words))
      }
    }
  }
}
