/// A set of Unicode scalars: those that one place of a pattern matches.
struct ScalarClass: Hashable, Sendable {
  /// A bit for each ASCII scalar that belongs to it.
  private(set) var ascii: ASCIISet
  /// The ranges of others, in order, apart from each other.
  private let ranges: [ClosedRange<UInt32>]
  private let categories: CategorySet
  private let isNegated: Bool
  private let ignoresCase: Bool

  /// Creates a class from ranges in any order.
  init(
    _ ranges: [ClosedRange<UInt32>], categories: CategorySet = [], isNegated: Bool = false, ignoresCase: Bool = false
  ) {
    ascii = ASCIISet(ranges, categories: categories)
    if ignoresCase { ascii.formBothCases() }
    if isNegated { ascii.invert() }
    self.ranges = Self.merged(ranges)
    self.categories = categories
    self.isNegated = isNegated
    self.ignoresCase = ignoresCase
  }

  /// Returns whether a scalar belongs to it.
  func contains(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return ascii.contains(scalar.value) }
    if ranges.isEmpty && categories.isEmpty { return isNegated }
    return (has(scalar) || ignoresCase && scalar.otherCases.contains(where: has)) != isNegated
  }

  private func has(_ scalar: Unicode.Scalar) -> Bool {
    if !categories.isEmpty, categories.contains(CategorySet(scalar.properties.generalCategory)) { return true }
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < scalar.value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(scalar.value)
  }

  /// Returns the parts of ranges beyond ASCII, in order, with those joined that touch.
  private static func merged(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    var merged: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.upperBound >= 0x80 {
      if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(max(range.lowerBound, 0x80)...range.upperBound)
      }
    }
    return merged
  }
}

extension Unicode.Scalar {
  /// The forms of a scalar beyond ASCII in other cases, of one scalar each and beyond ASCII, too.
  var otherCases: [Unicode.Scalar] {
    var forms: [Unicode.Scalar] = []
    for mapping in [properties.uppercaseMapping, properties.lowercaseMapping] {
      let scalars = mapping.unicodeScalars
      if let form = scalars.first, scalars.count == 1, form != self, !form.isASCII { forms.append(form) }
    }
    if let upper = forms.first {
      let scalars = upper.properties.lowercaseMapping.unicodeScalars
      if let form = scalars.first, scalars.count == 1, form != self, !form.isASCII { forms.append(form) }
    }
    return forms
  }
}
