import FlagDefinitions
import FlagDomain

extension LaunchDarklyDocument {
  /// Returns the keys of the flags whose text, or that of a flag or segment they need, is not in both documents.
  func changedKeys(from older: any DefinitionDocument) -> Set<String> {
    guard let older = older as? LaunchDarklyDocument else { return Set(keys).union(older.keys) }
    let changed = changedFlags(since: older)
    var keys: Set<String> = []
    for number in changed.indices where changed[number] && definitions.flags.prints[number] != nil {
      keys.insert(definitions.flags.names[number])
    }
    for number in older.definitions.flags.prints.indices where older.definitions.flags.prints[number] != nil {
      let key = older.definitions.flags.names[number]
      if definitions.flags.print(of: key) == nil { keys.insert(key) }
    }
    return keys
  }

  private func changedFlags(since older: LaunchDarklyDocument) -> [Bool] {
    let (flags, segments) = (definitions.flags, definitions.segments)
    var changedSegments = segments.changed(since: older.definitions.segments)
    changedSegments.spread { number in segments.part(number)?.segments ?? [] }
    var changedFlags = flags.changed(since: older.definitions.flags)
    for number in changedFlags.indices where !changedFlags[number] {
      changedFlags[number] = flags.part(number)?.segments.contains { changedSegments[$0] } ?? false
    }
    changedFlags.spread { number in flags.part(number)?.prerequisites.map(\.flag) ?? [] }
    return changedFlags
  }
}

extension Definitions.Table {
  /// Returns for each number whether its part is another than in an older table.
  fileprivate func changed(since older: Self) -> [Bool] {
    prints.indices.map { prints[$0] != older.print(of: names[$0]) }
  }

  func part(_ number: Int) -> Part? {
    if case .part(let part)? = entries[number] { part } else { nil }
  }
}

extension [Bool] {
  /// Sets what needs something that is set, at one or more removes.
  mutating func spread(_ needs: (Int) -> [Int]) {
    var users = [[Int]](repeating: [], count: count)
    for number in indices { for needed in needs(number) { users[needed].append(number) } }
    var waiting = indices.filter { self[$0] }
    while let number = waiting.popLast() {
      for user in users[number] where !self[user] {
        self[user] = true
        waiting.append(user)
      }
    }
  }
}

extension LaunchDarklyFlag {
  /// The numbers of the segments that its rules name.
  var segments: [Int] { rules.flatMap { $0.clauses.flatMap(\.segments) } }
}

extension Segment {
  /// The numbers of the segments that its rules name.
  var segments: [Int] { rules.flatMap { $0.clauses.flatMap(\.segments) } }
}

extension Clause {
  fileprivate var segments: [Int] {
    if case .isInSegment(let segments) = test { segments } else { [] }
  }
}
