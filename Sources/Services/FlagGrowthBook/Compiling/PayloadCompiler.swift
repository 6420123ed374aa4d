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

  /// The numbers of saved groups by their ids; a group may be referred to before it is defined.
  var groupNumbers: [String: UInt32] = [:]
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
}

extension PayloadCompiler {
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

  /// Returns the number of a message about the current part, which is an error.
  mutating func failure(_ message: String) -> UInt32 {
    diagnostics.fail(path, message)
    return tables.conditions.messages.number(of: "\(path): \(message)")
  }
}

extension PayloadCompiler {
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
  mutating func groupNumber(_ id: String) -> UInt32 {
    usesSharedParts = true
    if let number = groupNumbers[id] { return number }
    let number = tables.conditions.groups.number(of: ValueSet())
    groupNumbers[id] = number
    return number
  }

  /// Compiles a pattern.
  ///
  /// - Returns: The pattern, nil if it has a syntax error, which never matches, or the number of the message of a
  ///   pattern that cannot be used.
  mutating func pattern(_ text: String, isCaseInsensitive: Bool = false) -> PatternResult {
    do throws(PatternError) {
      let pattern = try Pattern(text, isCaseInsensitive: isCaseInsensitive)
      patternSize += pattern.size
      guard patternSize <= Self.maximumPatternSize else {
        return .unusable(failure("the document's patterns have more than \(Self.maximumPatternSize) instructions"))
      }
      return .pattern(pattern)
    } catch {
      guard error.code == .syntax else { return .unusable(failure("the pattern cannot be used: \(error)")) }
      warn("the pattern is invalid, and never matches: \(error)")
      return .invalid
    }
  }

  struct BanditReference {
    let experiment: Int
    let id: String
    let coverage: Double
    /// The weights for users without a leaf.
    let weights: [Double]
  }

  enum PatternResult {
    case pattern(Pattern)
    case invalid
    case unusable(UInt32)
  }
}
