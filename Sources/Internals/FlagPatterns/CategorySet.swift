/// A set of Unicode's general categories.
struct CategorySet: OptionSet, Hashable, Sendable {
  let rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Creates the set of a category.
  init(_ category: Unicode.GeneralCategory) {
    let index = Self.names.firstIndex { $0.category == category } ?? 31
    self.init(rawValue: 1 << UInt32(index))
  }

  /// Creates the set of the categories that begin with a name, as `L` or `Lu`; nil if there are none.
  init?(named name: String) {
    guard (1...2).contains(name.utf8.count) else { return nil }
    var bits: UInt32 = 0
    for (index, entry) in Self.names.enumerated() where entry.name.hasPrefix(name) { bits |= 1 << UInt32(index) }
    guard bits != 0 else { return nil }
    self.init(rawValue: bits)
  }

  /// All others.
  var inverted: Self { Self(rawValue: ~rawValue) }

  private static let names: [(name: String, category: Unicode.GeneralCategory)] = [
    ("Lu", .uppercaseLetter), ("Ll", .lowercaseLetter), ("Lt", .titlecaseLetter), ("Lm", .modifierLetter),
    ("Lo", .otherLetter), ("Mn", .nonspacingMark), ("Mc", .spacingMark), ("Me", .enclosingMark),
    ("Nd", .decimalNumber), ("Nl", .letterNumber), ("No", .otherNumber), ("Pc", .connectorPunctuation),
    ("Pd", .dashPunctuation), ("Ps", .openPunctuation), ("Pe", .closePunctuation), ("Pi", .initialPunctuation),
    ("Pf", .finalPunctuation), ("Po", .otherPunctuation), ("Sm", .mathSymbol), ("Sc", .currencySymbol),
    ("Sk", .modifierSymbol), ("So", .otherSymbol), ("Zs", .spaceSeparator), ("Zl", .lineSeparator),
    ("Zp", .paragraphSeparator), ("Cc", .control), ("Cf", .format), ("Cs", .surrogate), ("Co", .privateUse),
    ("Cn", .unassigned),
  ]
}
