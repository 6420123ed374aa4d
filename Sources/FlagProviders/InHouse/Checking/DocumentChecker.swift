import FlagDomain

/// Looks through a document for everything that is wrong with it, or probably not meant.
struct DocumentChecker {
  private(set) var remarks: [Remark] = []

  private let outline: DocumentOutline
  private let bytes: [UInt8]
  private let evaluators: [String: FlagValue]

  init(_ outline: DocumentOutline, of bytes: [UInt8]) {
    self.outline = outline
    self.bytes = bytes
    let reader = DocumentReader(outline, of: bytes)
    evaluators = reader.evaluators
    remarks = reader.remarks
    checkEvaluators()
    checkFlags(of: reader)
    checkKeys()
  }
}

extension DocumentChecker {
  private mutating func checkEvaluators() {
    for (name, rule) in evaluators.sorted(by: { $0.key < $1.key }) {
      check(rule, at: JSONPath.root.appending("$evaluators").appending(name))
    }
  }

  private mutating func checkFlags(of reader: DocumentReader) {
    for member in outline.flags {
      let path = JSONPath.root.appending("flags").appending(member.name)
      guard case .object(let fields) = reader.value(of: member) else { continue }
      if let rule = fields["targeting"], case .object = rule { check(rule, at: path.appending("targeting")) }
      if case .object(let variants) = fields["variants"] { check(variants, at: path.appending("variants")) }
      if case .flag(let flag) = reader.entries[member.name] { check(flag, at: path) }
    }
  }

  private mutating func checkKeys() {
    var keys: Set<String> = []
    for member in outline.flags {
      let path = JSONPath.root.appending("flags").appending(member.name)
      if member.name.isEmpty {
        remarks.append(Remark(path: path, message: "expected a key, found an empty string"))
      } else if !FlagKey.isValid(member.name) {
        remarks.append(Remark(warning: path, "expected a key without white space, of at most 1024 bytes"))
      }
      if !keys.insert(member.name).inserted {
        remarks.append(Remark(warning: path, "expected each key once: only the last flag of this key counts"))
      }
    }
  }

  private mutating func check(_ rule: FlagValue, at path: JSONPath) {
    var checker = RuleChecker(evaluators: Set(evaluators.keys))
    checker.check(rule, at: path)
    remarks += checker.remarks
  }

  private mutating func check(_ variants: [String: FlagValue], at path: JSONPath) {
    for (name, value) in variants.sorted(by: { $0.key < $1.key }) {
      if name.isEmpty {
        remarks.append(Remark(path: path, message: "expected a variant's name, found an empty string"))
      }
      if case .array = value {
        remarks.append(Remark(warning: path.appending(name), "the format's schema knows no arrays as variants"))
      }
    }
  }
}

extension DocumentChecker {
  private mutating func check(_ flag: FlagDefinition, at path: JSONPath) {
    let names = Set(flag.variants.map(\.name))
    if let name = flag.defaultVariant, flag.defaultIndex == nil {
      warn(path.appending("defaultVariant"), "expected the name of a variant, found \(FlagValue.string(name))")
    }
    guard let results = flag.rule?.possibleResults else { return }
    for name in results.subtracting(names).sorted() where !["true", "false"].contains(name) {
      warn(path.appending("targeting"), "the rule can give \(FlagValue.string(name)), which is no variant")
    }
    for name in names.subtracting(results).sorted() where name != flag.defaultVariant {
      warn(path.appending("variants").appending(name), "no rule reaches this variant")
    }
  }

  private mutating func warn(_ path: JSONPath, _ message: String) {
    remarks.append(Remark(warning: path, message))
  }
}
