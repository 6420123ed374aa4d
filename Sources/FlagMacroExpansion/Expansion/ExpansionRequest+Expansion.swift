import FlagSyntax
import Foundation

extension ExpansionRequest {
  /// Expands the declaration in the requested role.
  ///
  /// Problems of a set are reported by its conformance, problems of a property by its accessor. The members of a
  /// malformed set expand to nothing, and malformed properties are left out, so that each problem is reported once.
  func expanded(_ readFile: (String) -> Data? = FileManager.default.contents) -> ExpansionResult {
    do throws(Problem) {
      let expansion = try expansion()
      guard let problem = missingImport(readFile) else { return expansion }
      return ExpansionResult(failedExpansion, diagnostics: macroRole == "extension" ? [message(for: problem)] : [])
    } catch {
      return ExpansionResult(failedExpansion, diagnostics: isReporting ? [message(for: error)] : [])
    }
  }

  private func expansion() throws(Problem) -> ExpansionResult {
    switch (macro.typeName, macroRole) {
    case ("FlagSetMacro", "member"): ExpansionResult(try set().makeMembers())
    case ("FlagSetMacro", "extension"): try expandedConformance()
    case ("FlagMacro", "accessor"): ExpansionResult(try flag()?.makeAccessor() ?? failedExpansion)
    case ("FlagGroupMacro", "accessor"): ExpansionResult(try group()?.makeAccessor() ?? failedExpansion)
    default: ExpansionResult(nil)
    }
  }

  private var isReporting: Bool { macroRole == "extension" || macroRole == "accessor" }

  /// The placeholder after a problem, without which the compiler would report another error; it is never run.
  private var failedExpansion: String { macroRole == "accessor" ? "get { fatalError() }" : "" }
}

// MARK: Reading

extension ExpansionRequest {
  private func set() throws(Problem) -> SetDeclaration { try SetDeclaration(SourceText(declSyntax.source)) }

  private func expandedConformance() throws(Problem) -> ExpansionResult {
    let set = try set()
    let problems = set.problems.map(message)
    guard let type = extendedTypeSyntax?.source else { return ExpansionResult("", diagnostics: problems) }
    if let range = set.privateRange, type.contains(".") {
      let fixIt = Problem.FixIt(
        message: "replace 'private' with 'fileprivate'", range: range, replacement: "fileprivate")
      throw Problem(.privateInside(set.name), at: range, fixIt: fixIt)
    }
    let text = set.makeExtension(of: type, conformingTo: try missingConformances())
    return ExpansionResult(text, diagnostics: problems)
  }

  /// Returns this package's protocols that the type does not conform to yet.
  private func missingConformances() throws(Problem) -> [String] {
    let asked = try SourceText(conformanceListSyntax?.source ?? "").tokens.map(\.text)
    return ["FlagSet", "NestableFlagSet"].filter(asked.contains)
  }

  private func flag() throws(Problem) -> FlagDeclaration? {
    guard let (property, source, set) = try property("Flag") else { return nil }
    return try FlagDeclaration(property, in: source, of: set)
  }

  private func group() throws(Problem) -> GroupDeclaration? {
    guard let (property, source, set) = try property("FlagGroup") else { return nil }
    return try GroupDeclaration(property, in: source, of: set)
  }

  /// Returns the property, its source and the name of its set; nil if the set is malformed.
  private func property(_ name: String) throws(Problem) -> (Property, SourceText, set: String)? {
    let source = try SourceText(declSyntax.source)
    var parser = DeclarationParser(source)
    guard let attribute = parser.parseAttributes().first(where: { $0.name == name }) else {
      throw parser.problem(.unreadable(expected: "@\(name)"))
    }
    guard let context = try lexicalContext?.first.map(\.source).map(SourceText.init), context.hasFlagSet else {
      throw Problem(.outsideASet(name), at: source.bytes(of: attribute.indices))
    }
    guard let set = setInOrder(context) else { return nil }
    return (try parser.parseProperty(attribute), source, set.name)
  }

  private func setInOrder(_ context: SourceText) -> SetDeclaration? {
    do {
      return try SetDeclaration(context)
    } catch {
      // The set's own attribute reports its problems.
      return nil
    }
  }
}

extension SourceText {
  fileprivate var hasFlagSet: Bool {
    var parser = DeclarationParser(self)
    return parser.parseAttributes().contains { $0.name == "FlagSet" }
  }
}

// MARK: Reporting

extension ExpansionRequest {
  private func message(for problem: Problem) -> ExpansionResult.Message {
    ExpansionResult.Message(
      message: problem.message,
      position: .init(fileName: declSyntax.location.fileName, offset: offset(problem.range.lowerBound)),
      highlights: [range(problem.range)],
      fixIts: problem.fixIt.map { fixIt in
        [.init(message: fixIt.message, changes: [.init(range: range(fixIt.range), newText: fixIt.replacement)])]
      } ?? [])
  }

  private func range(_ range: Range<Int>) -> ExpansionResult.Range {
    .init(
      fileName: declSyntax.location.fileName, startOffset: offset(range.lowerBound),
      endOffset: offset(range.upperBound))
  }

  private func offset(_ offset: Int) -> Int { declSyntax.location.offset + offset }
}
