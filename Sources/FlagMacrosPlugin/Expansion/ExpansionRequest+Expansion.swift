extension ExpansionRequest {
  /// Returns what the declaration expands to in the role that is asked for.
  ///
  /// What is wrong with a property is reported by its accessor, what is wrong with a set by its members; the other
  /// roles then expand to nothing, so that each problem is reported once.
  func expanded() -> ExpansionResult {
    switch (macro.typeName, macroRole) {
    case ("FlagSetMacro", "member"): expansion { () throws(Problem) in try expandedMembers() }
    case ("FlagSetMacro", "extension"): silentExpansion { () throws(Problem) in try expandedConformance() }
    case ("FlagMacro", "accessor"): accessor { () throws(Problem) in try flag().makeAccessor() }
    case ("FlagMacro", "peer"): silentExpansion { () throws(Problem) in try flag().makePeer() }
    case ("FlagGroupMacro", "accessor"): accessor { () throws(Problem) in try group().makeAccessor() }
    default: ExpansionResult(nil)
    }
  }

  private func expansion(_ make: () throws(Problem) -> (String, [Problem])) -> ExpansionResult {
    do {
      let (text, problems) = try make()
      return ExpansionResult(text, diagnostics: problems.map(message))
    } catch {
      return ExpansionResult("", diagnostics: [message(for: error)])
    }
  }

  /// Without an accessor the compiler would report a second error, so a problem expands to one that never runs.
  private func accessor(_ make: () throws(Problem) -> String) -> ExpansionResult {
    do {
      return ExpansionResult(try make())
    } catch {
      return ExpansionResult("get { fatalError() }", diagnostics: [message(for: error)])
    }
  }

  private func silentExpansion(_ make: () throws(Problem) -> String) -> ExpansionResult {
    do { return ExpansionResult(try make()) } catch { return ExpansionResult("") }
  }
}

// MARK: Reading

extension ExpansionRequest {
  private func expandedMembers() throws(Problem) -> (String, [Problem]) {
    let set = try SetDeclaration(SourceText(declSyntax.source))
    return (set.makeMembers(), set.duplicateKeys)
  }

  private func expandedConformance() throws(Problem) -> String {
    _ = try SetDeclaration(SourceText(declSyntax.source))
    guard let type = extendedTypeSyntax, conformanceListSyntax?.source.isEmpty == false else { return "" }
    return "extension \(type.source): FlagDomain.NestableFlagSet {}"
  }

  private func flag() throws(Problem) -> FlagDeclaration {
    let (property, source, set) = try property("Flag")
    return try FlagDeclaration(property, in: source, of: set)
  }

  private func group() throws(Problem) -> GroupDeclaration {
    let (property, source, set) = try property("FlagGroup")
    return try GroupDeclaration(property, in: source, of: set)
  }

  private func property(_ name: String) throws(Problem) -> (Property, SourceText, set: String) {
    let source = try SourceText(declSyntax.source)
    var parser = DeclarationParser(source)
    guard let attribute = parser.parseAttributes().first(where: { $0.name == name }) else {
      throw parser.problem(.unreadable(expected: "@\(name)"))
    }
    guard let set = try enclosingSet() else {
      throw Problem(.outsideASet(name), at: source.bytes(of: attribute.indices))
    }
    return (try parser.parseProperty(attribute), source, set)
  }

  /// The name of the set around a property, or nil where there is none.
  private func enclosingSet() throws(Problem) -> String? {
    guard let context = lexicalContext?.first else { return nil }
    var parser = DeclarationParser(try SourceText(context.source))
    guard parser.parseAttributes().contains(where: { $0.name == "FlagSet" }) else { return nil }
    _ = parser.parseModifiers()
    return try parser.parseStructName()
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
      fileName: declSyntax.location.fileName, startOffset: offset(range.lowerBound), endOffset: offset(range.upperBound)
    )
  }

  private func offset(_ offset: Int) -> Int { declSyntax.location.offset + offset }
}
