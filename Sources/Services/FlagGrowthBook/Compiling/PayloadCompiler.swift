import FlagDefinitions
import FlagDomain
import FlagJSON
import FlagPatterns

/// A compiler of the parts of a document into the tables of a payload.
struct PayloadCompiler {
  var tables = PayloadTables()
  /// The diagnostics of the part that is being compiled.
  var diagnostics: [UnlocatedDiagnostic] = []
  /// The steps to the part that is being compiled.
  var trail: [DocumentPath.Step] = []
  let settings: GrowthBookSettings

  /// The numbers of saved groups by their uses; a group may be referred to before it is defined.
  private var groupNumbers: [GroupUse: UInt32] = [:]
  /// The uses of saved groups by their numbers, each with its first place.
  private var groupUses: [(use: GroupUse, place: DocumentPath)] = []
  /// The number of levels of the condition that is being compiled.
  var levels = 0
  /// The numbers of the saved groups that the group that is being compiled refers to.
  private var neededGroups: [UInt32] = []
  /// The experiments that are contextual bandits, and their ids.
  var banditReferences: [BanditReference] = []
  /// Whether the feature that is being compiled refers to parts outside it.
  var usesSharedParts = false
  /// The sum of the sizes of all patterns.
  private var patternSize = 0
  private var pathNumbers: [String: UInt32] = [:]

  /// The maximum sum of the sizes of all patterns of a document.
  private static let maximumPatternSize = 4_000_000

  init(_ settings: GrowthBookSettings) { self.settings = settings }

  /// The path of the part that is being compiled.
  var path: DocumentPath { DocumentPath(trail) }

  /// Compiles a part of the current one.
  mutating func at<Result>(_ step: DocumentPath.Step, _ compile: (inout PayloadCompiler) -> Result) -> Result {
    trail.append(step)
    defer { trail.removeLast() }
    return compile(&self)
  }

  mutating func expect(_ expected: String, at step: DocumentPath.Step, found value: FlagValue?) {
    diagnostics.append(UnlocatedDiagnostic(path.appending(step), expected: expected, found: value))
  }

  mutating func warn(_ message: String) { diagnostics.warn(path, message) }

  /// Reports that the current part is malformed.
  mutating func fail(_ message: String) { diagnostics.fail(path, message) }

  /// Returns the number of the message of the first error since there were so many diagnostics; nil if there is none.
  mutating func failure(since count: Int) -> UInt32? {
    guard diagnostics.count > count, let error = diagnostics[count...].first(where: { $0.severity == .error }) else {
      return nil
    }
    return message("\(error.path): \(error.message)")
  }

  /// Returns the number of a message.
  mutating func message(_ text: String) -> UInt32 { tables.conditions.messages.number(of: text) }

  /// Returns the number of a path; the names are separated by dots.
  mutating func pathNumber(_ path: String, isLiteral: Bool = false) -> UInt32 {
    let key = isLiteral ? path + "\0" : path
    if let number = pathNumbers[key] { return number }
    let names =
      isLiteral
      ? [path]
      : path.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { String(Substring($0)) }
    let number = tables.conditions.paths.number(
      of: AttributePath(
        first: ContextAttribute(names[0]), alias: settings.attributeNames[names[0]].map(ContextAttribute.init),
        rest: Array(names.dropFirst())))
    pathNumbers[key] = number
    return number
  }

  /// Returns the number of a saved group, which may be defined later.
  mutating func groupNumber(_ use: GroupUse) -> UInt32 {
    usesSharedParts = true
    let number = groupNumbers[use] ?? UInt32(groupUses.count)
    if groupNumbers.updateValue(number, forKey: use) == nil { groupUses.append((use, path)) }
    neededGroups.append(number)
    return number
  }

  /// Compiles the saved groups to which features and other parts have referred, and those to which groups refer.
  ///
  /// - Parameters:
  ///   - groups: The groups by their ids.
  ///   - failure: The number of the message that says why no group can be read; nil if they can be.
  mutating func resolveGroups(_ groups: [String: FlagValue], failure: UInt32?) {
    var references: [String: [String]] = [:]
    for number in 0... {
      guard number < groupUses.count else { break }
      let (use, place) = groupUses[number]
      let known = diagnostics.count
      (neededGroups, levels) = ([], 0)
      let group = failure == nil ? group(use, groups[use.id], place) : node(.never)
      tables.conditions.groups.append(SavedGroup(node: group, levels: levels + 1))
      tables.conditions.brokenGroups[number] = failure ?? self.failure(since: known)
      references["\(number)"] = neededGroups.map { "\($0)" }
    }
    let order = ReferenceOrder(references)
    for number in order.circular.compactMap({ Int($0) }).sorted() {
      let known = diagnostics.count
      at(.member(groupUses[number].use.id)) { $0.fail("the saved group needs itself, directly or through others") }
      tables.conditions.brokenGroups[number] = self.failure(since: known)
    }
    var broken = tables.conditions.brokenGroups
    for name in order.names {
      guard let number = Int(name), broken[number] == nil else { continue }
      broken[number] = (references[name] ?? []).compactMap { Int($0).flatMap { broken[$0] } }.first
    }
    tables.conditions.brokenGroups = broken
  }

  private mutating func group(_ use: GroupUse, _ value: FlagValue?, _ place: DocumentPath) -> UInt32 {
    guard let value else {
      if use.isReference { diagnostics.fail(place, "the document has no saved group \(use.id.quoted)") }
      return values([])
    }
    return at(.member(use.id)) { $0.group(use, value) }
  }

  private mutating func group(_ use: GroupUse, _ value: FlagValue) -> UInt32 {
    if !use.isReference, let elements = value.scalars { return values(elements) }
    guard case .object(let members) = value else {
      return broken(expected: use.isReference ? "a group with a type" : "an array of values, or a list", found: value)
    }
    switch members["type"] {
    case "list":
      guard let elements = members["values"]?.scalars else {
        return broken(expected: "a list with \"values\", an array of scalars", found: value)
      }
      if !use.isReference { return values(elements) }
      guard let attribute = use.attribute ?? members.text("attributeKey") else {
        return broken("expected the name of an attribute as \"attributeKey\", found none")
      }
      return node(.attribute, pathNumber(attribute), values(elements))
    case "condition":
      guard use.isReference else { return broken("expected an array of values, or a list, found a condition") }
      return condition(of: members) ?? broken("expected a \"condition\", found none")
    default: return broken("unknown type of a saved group")
    }
  }

  private mutating func values(_ values: [FlagValue]) -> UInt32 {
    node(.isIn, tables.conditions.sets.number(of: ValueSet(values)))
  }

  /// Compiles a pattern; returns nil for one that cannot be used, and reports why.
  mutating func pattern(_ text: String, isCaseInsensitive: Bool = false) -> Pattern? {
    do throws(PatternError) {
      let pattern = try Pattern(text, isCaseInsensitive: isCaseInsensitive)
      patternSize += pattern.size
      guard patternSize <= Self.maximumPatternSize else {
        fail("the document's patterns have more than \(Self.maximumPatternSize) instructions")
        return nil
      }
      return pattern
    } catch {
      fail("the pattern cannot be used: \(error)")
      return nil
    }
  }

  /// A use of a saved group: as values, or as what an object belongs to, by an attribute if it is a list.
  struct GroupUse: Hashable {
    let id: String
    var isReference = false
    var attribute: String?
  }

  struct BanditReference {
    let experiment: Int
    let id: String
    let coverage: Double
    /// The weights for users without a leaf.
    let weights: [Double]
  }
}
