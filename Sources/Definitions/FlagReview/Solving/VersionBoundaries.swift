import FlagDefinitions

/// The versions at which comparisons with a version may change their results, in any order.
struct VersionBoundaries {
  let texts: [String]

  /// Creates the boundaries for a version; none for a text that is not one, and nil if a number is too large.
  init?(_ text: String) {
    guard SemanticVersion(text) != nil else {
      texts = []
      return
    }
    let plain = (text.first.map { "vV".contains($0) } ?? false ? text.dropFirst() : text[...]).prefix { $0 != "+" }
    let core = plain.prefix { $0 != "-" }
    let preRelease = plain.dropFirst(core.count)
    var numbers: [Int] = []
    for part in core.split(separator: ".") {
      guard let number = Int(part), number < 1 << 30 else { return nil }
      numbers.append(number)
    }
    while numbers.count < 3 { numbers.append(0) }
    let (major, minor, patch) = (numbers[0], numbers[1], numbers[2])
    // The lowest pre-release of a version, "-0", is the first that is not below it.
    texts = [
      "\(major).\(minor).\(patch)\(preRelease)",
      preRelease.isEmpty ? "\(major).\(minor).\(patch + 1)-0" : "\(major).\(minor).\(patch)\(preRelease).0",
      "\(major).\(minor).\(patch + 1)", "\(major).\(minor + 1).0", "\(major + 1).0.0",
      "\(major).\(minor).\(patch)-0", "\(major).\(minor).0-0", "\(major).\(minor + 1).0-0", "\(major).0.0-0",
      "\(major + 1).0.0-0",
    ]
  }
}
