import FlagSyntax
import Foundation

extension ExpansionRequest {
  /// Expands the declaration in the requested role.
  ///
  /// Problems of a set are reported by its conformance, problems of a property by its accessor. The members of a
  /// malformed set expand to nothing, and malformed properties are left out, so that each problem is reported once.
  func expanded(_ readFile: @escaping (String) -> Data? = FileManager.default.contents) -> ExpansionResult {
    do throws(Problem) {
      let expansion = try expansion(readFile)
      guard let problem = missingImport(readFile) else { return expansion }
      return ExpansionResult(failedExpansion, diagnostics: macroRole == "extension" ? [message(for: problem)] : [])
    } catch {
      // The first attribute of a property has expanded already.
      let isRepeated = if case .repeatedAttribute = error.kind { macroRole == "accessor" } else { false }
      return ExpansionResult(
        isRepeated ? nil : failedExpansion, diagnostics: isReporting ? [message(for: error)] : [])
    }
  }

  private func expansion(_ readFile: @escaping (String) -> Data?) throws(Problem) -> ExpansionResult {
    switch (macro.typeName, macroRole) {
    case ("FlagSetMacro", "member"):
      ExpansionResult(try set(readFile).makeMembers(at: declSyntax.location))
    case ("FlagSetMacro", "extension"): try expandedConformance(readFile)
    case ("FlagMacro", "accessor"), ("NamedFlagMacro", "accessor"):
      ExpansionResult(try flag(readFile)?.makeAccessor() ?? failedExpansion)
    case ("FlagGroupMacro", "accessor"): ExpansionResult(try group(readFile)?.makeAccessor() ?? failedExpansion)
    case ("DerivedMacro", "body"): ExpansionResult("{ \(try nameOfDerivedRead()) }")
    default: ExpansionResult(nil)
    }
  }

  private var isReporting: Bool { ["extension", "accessor", "body"].contains(macroRole) }

  /// The placeholder after a problem, without which the compiler would report another error; it is never run.
  private var failedExpansion: String {
    switch macroRole {
    case "accessor": "get { fatalError() }"
    case "body": "{ fatalError() }"
    default: ""
    }
  }

  // MARK: Reading

  private func set(_ readFile: @escaping (String) -> Data?) throws(Problem) -> SetDeclaration {
    let source = try SourceText(declSyntax.source)
    var set = try SetDeclaration(source)
    try checkAttribute(among: ["FlagSet"], in: source, of: set.name)
    let types = TypeCheck(self, readFile)
    for index in set.members.indices.reversed() {
      guard let problem = types.problem(of: set.members[index].content) else { continue }
      let isFlag = set.members.remove(at: index).content is FlagDeclaration
      if isFlag, !set.problems.contains(problem) { set.problems.append(problem) }
    }
    return set
  }

  private func expandedConformance(_ readFile: @escaping (String) -> Data?) throws(Problem) -> ExpansionResult {
    let set = try set(readFile)
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

  /// Returns the flag; nil if its set reports a problem of it.
  private func flag(_ readFile: @escaping (String) -> Data?) throws(Problem) -> FlagDeclaration? {
    guard let (property, source, set) = try property("Flag") else { return nil }
    let flag = try FlagDeclaration(property, in: source, of: set)
    // The other macro of this name takes the app's own names for keys, and so this one's key is any text.
    if let key = flag.key, key.isName, macro.typeName == "FlagMacro" { throw Problem(.keyNotLiteral, at: key.range) }
    return TypeCheck(self, readFile).problem(of: flag) == nil ? flag : nil
  }

  private func group(_ readFile: @escaping (String) -> Data?) throws(Problem) -> GroupDeclaration? {
    guard let (property, source, set) = try property("FlagGroup") else { return nil }
    let group = try GroupDeclaration(property, in: source, of: set)
    if let problem = TypeCheck(self, readFile).problem(of: group) { throw problem }
    return group
  }

  /// Returns the name of the property of the set that reads the flag of a getter.
  private func nameOfDerivedRead() throws(Problem) -> String {
    let source = try SourceText(declSyntax.source)
    var parser = DeclarationParser(source)
    guard let attribute = parser.parseAttributes().first(where: { $0.name == "Derived" }), parser.skip("get") else {
      throw parser.problem(.notAGetter)
    }
    let range = source.bytes(of: attribute.indices)
    guard try lexicalContext?.first.map(\.source).map(SourceText.init)?.hasFlagSet == true else {
      throw Problem(.outsideASet("Derived"), at: range)
    }
    return FlagDeclaration.nameOfRead(at: declSyntax.location.offset + range.lowerBound)
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
    let property = try parser.parseProperty(attribute)
    try checkAttribute(among: Attribute.ofProperties, in: source, of: property.name)
    return (property, source, set.name)
  }

  /// Throws if the expanded attribute is not the first of some names.
  private func checkAttribute(
    among names: Set<String>, in source: SourceText, of name: String
  ) throws(Problem) {
    var parser = DeclarationParser(source)
    let attributes = parser.parseAttributes().filter { names.contains($0.name) }
    let start = attributeSyntax.location.offset - declSyntax.location.offset
    let ranges = attributes.map { source.bytes(of: $0.indices) }
    guard let own = ranges.firstIndex(where: { $0.lowerBound >= start }), own > 0 else { return }
    throw Problem(.repeatedAttribute(attributes[own].name, of: name), at: ranges[own])
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
