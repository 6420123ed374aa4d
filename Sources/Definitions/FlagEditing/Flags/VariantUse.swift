import FlagDefinitions
package import FlagDomain
package import FlagJSON
import FlagReview

/// A part of a flag that gives one of its variants by name.
package struct VariantUse: Hashable, Sendable {
  /// The kind of a part.
  package enum Part: Hashable, Sendable {
    /// The variant for everyone else.
    case defaultVariant
    /// A result of the rule.
    case rule
    /// A share of a split.
    case share
    /// The result of an operator that gives true or false, which is a variant's name.
    case comparison
    /// A result of a shared rule of this name, which other flags may use, too.
    case evaluator(String)
    /// A result that the rule computes, or takes from an attribute: it may be any name.
    case computed
  }

  /// The kind of the part.
  package let part: Part
  /// The path of the part.
  package let path: DocumentPath

  package init(part: Part, path: DocumentPath) { (self.part, self.path) = (part, path) }

  /// Whether the name can be replaced there without changing anything else.
  package var isRewritable: Bool { [.defaultVariant, .rule, .share].contains(part) }

  /// Whether the flag gives an error to some users if the variant is gone.
  package var isCertain: Bool { part != .computed }
}

extension VariantUse: CustomStringConvertible {
  /// The part and its place in words.
  package var description: String {
    switch part {
    case .defaultVariant: "the default variant"
    case .rule: "the rule at \(path)"
    case .share: "a share at \(path)"
    case .comparison: "a comparison at \(path)"
    case .evaluator(let name): "the evaluator \(name.quoted) at \(path)"
    case .computed: "a computed name at \(path)"
    }
  }
}

extension VariantUse {
  /// Returns the parts of a flag that use a variant.
  ///
  /// - Parameters:
  ///   - name: The name of the variant.
  ///   - key: The flag's key.
  ///   - text: The document.
  /// - Returns: The uses, the default first; empty if there are none.
  /// - Throws: An error if the document cannot be read, or has no such flag.
  package static func all(
    ofVariant name: String, of key: String, in text: [UInt8]
  ) throws(FlagError) -> [VariantUse] {
    try FlagText(text).uses(ofVariant: name, of: key)
  }

  /// Returns the uses of a variant in a rule; those of evaluators are looked up by a closure.
  package static func all(
    ofVariant name: String, inRule rule: FlagValue, at path: DocumentPath,
    evaluators results: (String) -> (values: [FlagValue], isOpen: Bool) = { _ in ([], false) }
  ) -> [VariantUse] {
    func gives(_ values: [FlagValue]) -> Bool { values.contains { $0.variantName?.isIdentical(to: name) == true } }
    let found = RuleResults(of: rule, at: path)
    var uses = found.results.filter { gives($0.values) }.map(VariantUse.init)
    var isOpen = found.isOpen
    for reference in found.references {
      let (values, isReferenceOpen) = results(reference.name)
      if gives(values.filter(reference.filter.includes)) {
        uses.append(VariantUse(part: .evaluator(reference.name), path: reference.path))
      }
      isOpen = isOpen || isReferenceOpen
    }
    if isOpen { uses.append(VariantUse(part: .computed, path: path)) }
    return uses
  }

  fileprivate init(_ result: RuleResults.Result) {
    self.init(part: !result.isConstant ? .comparison : result.path.isShare ? .share : .rule, path: result.path)
  }

  /// The uses of all variants in a rule, without those in evaluators.
  package struct Index: Sendable {
    /// The uses by the bytes of the variants' names.
    private var uses: [[UInt8]: [VariantUse]] = [:]
    /// The use of a name that the rule computes, which may be any.
    private var computed: [VariantUse] = []

    package init() {}

    package init(ofRule rule: FlagValue, at path: DocumentPath) {
      let found = RuleResults(of: rule, at: path)
      for result in found.results {
        for name in Set(result.values.compactMap { $0.variantName.map { Array($0.utf8) } }) {
          uses[name, default: []].append(VariantUse(result))
        }
      }
      if found.isOpen { computed = [VariantUse(part: .computed, path: path)] }
    }

    package subscript(name: String) -> [VariantUse] { uses[Array(name.utf8), default: []] + computed }
  }

  /// Returns the names that a rule gives as they are written, in the order of the rule, each once.
  package static func names(inRule rule: FlagValue) -> [String] {
    var known: Set<String> = []
    return RuleResults(of: rule, at: .root).results.compactMap { result in
      guard result.isConstant, case .string(let name)? = result.values.first else { return nil }
      return known.insert(name).inserted ? name : nil
    }
  }
}

extension DocumentPath {
  /// Whether it leads to the variant of a share.
  fileprivate var isShare: Bool {
    let end = prefix(count).steps.suffix(3)
    return end.count == 3 && end.first == .member("fractional") && end.last == .element(0)
  }
}
