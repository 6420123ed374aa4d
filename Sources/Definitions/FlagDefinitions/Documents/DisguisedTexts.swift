import FlagDomain
import FlagJSON
import FlagSupport

/// The texts of a document that people may take for others: keys, names of variants and shared rules, and the texts of
/// rules, with characters that nobody sees or with letters of two scripts in a word; keys and names of attributes that
/// look like ASCII; and keys that look the same.
package struct DisguisedTexts {
  private let texts: StringTable
  /// The reasons by the numbers of the texts.
  private var reasons: [Int: String] = [:]
  /// The reasons, by the numbers of the texts, that count for keys and names of attributes alone.
  private var likenesses: [Int: String] = [:]
  /// Whether each place of a text is reported, not only the first.
  private let isChecking: Bool
  private var warnings: [UnlocatedDiagnostic] = []
  /// The keys with others than ASCII characters; Swift compares strings by their canonical form.
  private var keys: [String: String] = [:]

  /// Finds such texts among those of a document; nil if there is none.
  init?(among texts: StringTable, isChecking: Bool) {
    self.texts = texts
    self.isChecking = isChecking
    var (forms, hasTwins) = (Set<String>(), false)
    for number in texts.nonASCII() {
      let text = texts[number]
      if let reason = text.disguise { reasons[number] = reason } else { likenesses[number] = text.likeness }
      if !forms.insert(text).inserted { hasTwins = true }
    }
    if reasons.isEmpty, likenesses.isEmpty, !hasTwins { return nil }
  }

  /// Returns a warning for each place of such a text in the document.
  ///
  /// The document is read again, since hardly any has such texts.
  package consuming func warnings(in document: some Collection<UInt8>) -> [UnlocatedDiagnostic] {
    var found = self
    do throws(JSONError) {
      try found.check(DocumentOutline(of: document))
    } catch {
      // It was read before, so that its errors are reported.
    }
    return found.warnings
  }

  private mutating func check(_ outline: DocumentOutline) {
    let (flags, rules) = (DocumentPath.root.appending("flags"), DocumentPath.root.appending("$evaluators"))
    for flag in outline.flags {
      check(key: flag.key, at: flags.appending(flag.key), offset: flag.range.lowerBound)
      if let fields = outline.value(of: flag)?.fields { check(flag: fields, at: flags.appending(flag.key)) }
    }
    for (name, rule) in outline.evaluators.inOrder {
      check(name, "name", at: rules.appending(name))
      check(rule: rule, at: rules.appending(name))
    }
  }

  private mutating func check(key: String, at path: DocumentPath, offset: Int) {
    check(key, "key", at: path, offset: offset)
    guard key.utf8.contains(where: { $0 >= 0x80 }) else { return }
    if let other = keys[key], !other.isIdentical(to: key) {
      warnings.warn(
        path,
        "expected keys that differ in more than their Unicode form: \(key.escaped) and \(other.escaped) are two flags",
        offset: offset)
    }
    keys[key] = key
  }

  private mutating func check(flag: [String: FlagValue], at path: DocumentPath) {
    for name in (flag["variants"]?.fields ?? [:]).keys.sorted() {
      check(name, "name", at: path.appending("variants").appending(name))
    }
    if let rule = flag["targeting"] { check(rule: rule, at: path.appending("targeting")) }
  }

  /// Checks the texts of a rule; without recursion, since values can nest deeper than rules.
  private mutating func check(rule: FlagValue, at path: DocumentPath) {
    var rest = [(value: rule, noun: "text", path: path)]
    while let (value, noun, path) = rest.popLast() {
      switch value {
      case .string(let text): check(text, noun, at: path)
      case .array(let elements):
        // A variable has its name before its fallback.
        rest += elements.enumerated().reversed().map { ($1, $0 == 0 ? noun : "text", path.appending($0)) }
      case .object(let members):
        let isVariable = members.count == 1
        rest += members.inOrder.reversed().map { name, value in
          (value, isVariable && name == "var" ? "attribute" : "text", path.appending(name))
        }
      case .null, .bool, .int, .double: break
      }
    }
  }

  private mutating func check(_ text: String, _ noun: String, at path: DocumentPath, offset: Int? = nil) {
    guard let number = texts.number(of: text),
      let reason = reasons[number] ?? (["key", "attribute"].contains(noun) ? likenesses[number] : nil)
    else { return }
    if !isChecking { (reasons[number], likenesses[number]) = (nil, nil) }
    warnings.warn(path, "the \(noun) contains \(reason)", offset: offset)
  }
}

extension String {
  /// The text with the code points of all but ASCII characters, shortened if it is long.
  fileprivate var escaped: String { excerpt.unicodeScalars.map { $0.escaped(asASCII: true) }.joined() }
}
