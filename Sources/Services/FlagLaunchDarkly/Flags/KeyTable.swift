import FlagDefinitions
import FlagDomain

/// Texts, each with a number, and looked up by their code units.
///
/// A few are compared one by one, without the memory of a table.
struct KeyTable: Sendable {
  private static let few = 8

  private var texts: [String] = []
  private var table: StringTable?

  var count: Int { table?.count ?? texts.count }

  func number(of text: String) -> Int? {
    if let table { return table.number(of: text) }
    return texts.firstIndex { $0.isIdentical(to: text) }
  }

  /// Returns the number of a text, and adds it if it is not there yet.
  mutating func insert(_ text: String) -> Int {
    if table == nil {
      if let number = number(of: text) { return number }
      if texts.count < Self.few {
        texts.append(text)
        return texts.count - 1
      }
      var table = StringTable()
      for text in texts { _ = table.insert(text) }
      (self.table, texts) = (table, [])
    }
    return table?.insert(text) ?? 0
  }
}

extension KeyTable {
  init(_ values: [FlagValue]) {
    for case .string(let text) in values { _ = insert(text) }
  }
}
