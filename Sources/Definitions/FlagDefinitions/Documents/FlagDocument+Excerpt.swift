import FlagDomain

extension FlagDocument {
  /// The maximum size of a rule with shared rules in place, in bytes, for compiling it on its own.
  private static let excerptBytes = 16 << 20

  /// Returns a document of some flags alone, whose rules have shared ones in place; malformed flags are left out.
  func containing(only keys: Set<String>) -> FlagDocument {
    var compiler = RuleCompiler()
    var contents: [(key: String, number: Int, content: FlagContent)] = []
    var table = FlagTable()
    for key in keys.sorted() {
      guard case .flag(let flag)? = flags[key] else { continue }
      if let content = flag.content(atMost: Self.excerptBytes, for: &compiler) {
        contents.append((key, compiler.builder.key(key), content))
      } else {
        table[key] = .flag(flag)
      }
    }
    let program = compiler.program(metadata: [:])
    for (key, number, content) in contents {
      table[key] = .flag(FlagDefinition(content, key: number, program: program, bucketing: bucketing))
    }
    var document = FlagDocument(bucketing: bucketing, diagnostics: [], omittedDiagnostics: 0, flags: table)
    document.stickyBuckets = stickyBuckets
    return document
  }
}

extension FlagDefinition {
  /// Returns the flag as it is read for another program; nil if its rule takes more than a number of bytes.
  fileprivate func content(atMost bytes: Int, for compiler: inout RuleCompiler) -> FlagContent? {
    var rule: Instruction?
    if let root {
      guard let json = program.wholeJSON(root, atMost: bytes) else { return nil }
      rule = compiler.rule(json)
    }
    return FlagContent(
      isEnabled: isEnabled,
      variants: variants.map { variant in
        Variant(value: variant.value, name: variant.name, text: compiler.builder.text(variant.name).map(UInt32.init))
      }, defaultVariant: defaultVariant, rule: rule, metadata: metadata)
  }
}
