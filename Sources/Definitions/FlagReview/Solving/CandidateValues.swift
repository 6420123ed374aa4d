import FlagDefinitions
import FlagDomain

/// The values of an attribute that parts of rules may treat in different ways; the first is none.
struct CandidateValues {
  private(set) var values: [FlagValue?] = [nil]
  /// Whether any other value is treated by all parts like one of these.
  private(set) var isExhaustive: Bool
  private var known: Set<FlagValue> = []

  /// Creates the values.
  ///
  /// - Parameters:
  ///   - shapes: How parts of rules treat the attribute.
  ///   - preferred: Constants to begin with.
  ///   - names: The names of members that rules read of elements.
  init(_ shapes: [PartShape], preferring preferred: [FlagValue] = [], names: [String] = []) {
    let constants = TextConstants(shapes.flatMap(\.constants))
    isExhaustive = Self.areIndependent(shapes, constants)
    let needles = shapes.constants(of: .containment)
    if needles.isEmpty {
      insert(preferred)
      insert(shapes.flatMap(\.constants))
    } else {
      insertContainers(of: needles, constants)
    }
    insertTexts(shapes, constants)
    insertVersions(shapes)
    insertNumbers(constants)
    insert([true, false, 0, 1, .string(constants.other), "", " ", .null, [], [.string(constants.other)], [:]])
    if shapes.contains(where: { $0.kind == .other }) { insertCombinations(constants, names) }
    // Arrays are compared by their text.
    if needles.isEmpty { insert(values.compactMap { $0?.text.map { .array([.string($0)]) } }) }
  }

  mutating func insert(_ values: [FlagValue]) {
    for value in values where known.insert(value).inserted { self.values.append(value) }
  }

  /// Returns whether the values that parts of these shapes distinguish can be listed.
  private static func areIndependent(_ shapes: [PartShape], _ constants: TextConstants) -> Bool {
    let kinds = Set(shapes.map(\.kind))
    if kinds.isSubset(of: [.value, .equality, .order]), !shapes.ordersTexts { return !constants.hasInfinity }
    if kinds.isSubset(of: [.value, .equality, .order]) { return constants.areWords && !constants.hasControls }
    if kinds.isSubset(of: [.value, .equality, .prefix, .suffix]) {
      return constants.areWords && constants.filler != nil
    }
    if kinds.isSubset(of: [.value, .equality, .version]) {
      let words = shapes.filter { $0.kind != .version }.flatMap(\.constants)
      return TextConstants(words).areWords
        && shapes.constants(of: .version).allSatisfy { $0.text.flatMap(SemanticVersion.boundaries(of:)) != nil }
    }
    guard kinds.isSubset(of: [.value, .containment]), constants.texts.count == constants.all.count else { return false }
    return Set(shapes.constants(of: .containment)).count <= maximumNeedles && constants.separator != nil
  }

  /// The maximum number of constants of which all combinations are values.
  private static let maximumNeedles = 5

  /// Adds arrays and texts that contain some of several constants.
  private mutating func insertContainers(of needles: [FlagValue], _ constants: TextConstants) {
    let needles = needles.reduce(into: [FlagValue]()) { if !$0.contains($1) { $0.append($1) } }
    insert(needles.map { .array([$0]) })
    insert([.array(needles)])
    let listed = needles.prefix(Self.maximumNeedles)
    for choice in 0..<(1 << listed.count) {
      let chosen = listed.enumerated().filter { choice >> $0.offset & 1 == 1 }.map(\.element)
      insert([
        .array(chosen), .string(chosen.map { $0.text ?? "\($0)" }.joined(separator: constants.separator ?? "/")),
      ])
    }
    insert(needles)
  }

  /// Adds texts with the beginnings and ends that parts ask for, and those right after texts in their order.
  private mutating func insertTexts(_ shapes: [PartShape], _ constants: TextConstants) {
    if shapes.ordersTexts { insert(constants.texts.map { .string($0 + " ") }) }
    let prefixes = shapes.constants(of: .prefix).compactMap(\.text)
    let suffixes = shapes.constants(of: .suffix).compactMap(\.text)
    guard !prefixes.isEmpty || !suffixes.isEmpty else { return }
    if prefixes.count * suffixes.count > Self.maximumAffixes { isExhaustive = false }
    for prefix in [""] + prefixes {
      for suffix in [""] + suffixes where values.count < Self.maximumAffixes {
        insert([.string(prefix + (constants.filler ?? "/") + suffix)])
      }
    }
  }

  private static let maximumAffixes = 4096

  private mutating func insertVersions(_ shapes: [PartShape]) {
    for text in shapes.constants(of: .version).compactMap(\.text) {
      let boundaries = SemanticVersion.boundaries(of: text) ?? []
      // One with a letter is another text for the same version.
      insert(boundaries.map { .string($0) } + boundaries.map { .string("v\($0)") })
    }
    if shapes.contains(where: { $0.kind == .version }) { insert(["0.0.0-0", "99999999.0.0", "v99999999.0.0"]) }
  }

  /// Adds the numbers that are compared with, one in each gap between them, and texts that denote them.
  private mutating func insertNumbers(_ constants: TextConstants) {
    guard let least = constants.numbers.first, let greatest = constants.numbers.last else { return }
    var numbers = constants.numbers
    numbers.append(least - 1 < least ? least - 1 : least.nextDown)
    numbers.append(greatest + 1 > greatest ? greatest + 1 : greatest.nextUp)
    for (one, other) in zip(constants.numbers, constants.numbers.dropFirst()) {
      let between = one + 1 < other ? one + 1 : one + (other - one) / 2
      if one < between, between < other { numbers.append(between) }
    }
    insert(numbers.map(FlagValue.init(plain:)))
    for number in numbers + [0] {
      let text = "\(FlagValue(plain: number))"
      insert([.string(text), .string(" \(text)")])
    }
  }

  /// Adds values for expressions of other shapes, which are guesses.
  private mutating func insertCombinations(_ constants: TextConstants, _ names: [String]) {
    let numbers = constants.numbers.prefix(8)
    for one in numbers {
      for other in numbers { insert([one + other, one - other, one * other].map(FlagValue.init(plain:))) }
      insert([FlagValue(plain: -one)])
    }
    insert((0..<14).flatMap { power in [.int(Int128(10).power(power)), .int(-Int128(10).power(power))] })
    for text in constants.texts {
      for separator in constants.texts.prefix(8) where !separator.isEmpty && separator != text {
        insert(text.split(separator: separator, omittingEmptySubsequences: true).map { .string(String($0)) })
      }
    }
    let scalars = constants.all.prefix(16)
    insert(scalars.map { .array([$0]) } + [.array(Array(scalars))])
    for name in names.prefix(8) { insert(scalars.map { .array([.object([name: $0])]) }) }
  }
}

extension Int128 {
  fileprivate func power(_ exponent: Int) -> Int128 { (0..<exponent).reduce(1) { result, _ in result * self } }
}

extension FlagValue {
  /// Creates a number: an integer if that is exact.
  init(plain number: Double) { self = Int128(exactly: number).map(FlagValue.int) ?? .double(number) }
}

extension SemanticVersion {
  /// Returns the versions at which comparisons with a version may change their results, in any order: none for a text
  /// that is not one, and nil if a number is too large.
  fileprivate static func boundaries(of text: String) -> [String]? {
    guard SemanticVersion(text) != nil else { return [] }
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
    return [
      "\(major).\(minor).\(patch)\(preRelease)",
      preRelease.isEmpty ? "\(major).\(minor).\(patch + 1)-0" : "\(major).\(minor).\(patch)\(preRelease).0",
      "\(major).\(minor).\(patch + 1)", "\(major).\(minor + 1).0", "\(major + 1).0.0",
      "\(major).\(minor).\(patch)-0", "\(major).\(minor).0-0", "\(major).\(minor + 1).0-0", "\(major).0.0-0",
      "\(major + 1).0.0-0",
    ]
  }
}
