import FlagDefinitions
package import FlagDomain
import FlagJSON
import FlagReview

extension DefinitionDraft {
  /// Returns a document with the draft in place of the flag's definition; everything else stays as written.
  ///
  /// Only what differs from the document is written: a part that is malformed and was not edited stays as it is.
  ///
  /// - Throws: A parse error, with line and column in the rule, if the rule is not JSON, or an error if the document
  ///   has no such flag, or the variants cannot be so.
  package func text(in document: [UInt8]) throws(FlagError) -> [UInt8] {
    var flag = try FlagText(document, of: key)
    let old = try DefinitionDraft(key, in: flag, version: version)
    if !(rule.isBlank && old.rule.isBlank), !rule.withoutReturns.isIdentical(to: old.rule.withoutReturns) {
      let written = try JSONEditor(flag.source(of: key)).source(of: DocumentPath.root.appending("targeting")) ?? "{}"
      try flag.setMember("targeting", checkedRule.withoutReturns.indented(like: written), of: key)
    }
    if (old.defaultVariant ?? "") != (defaultVariant ?? "") {
      try flag.setMember("defaultVariant", defaultVariant.map { FlagValue.string($0).description } ?? "null", of: key)
    }
    if let isEnabled, isEnabled != old.isEnabled {
      try flag.setMember("state", isEnabled ? "\"ENABLED\"" : "\"DISABLED\"", of: key)
      if isEnabled, old.retirement != nil {
        for name in [FlagMetadataName.retired, FlagMetadataName.gone] { try flag.setMetadata(name, nil, of: key) }
      }
    }
    let isKept = variantDrafts.elementsEqual(old.variantDrafts) { $0.isIdentical(to: $1) }
    if !isKept { try flag.setVariants(variantDrafts, of: key) }
    for edit in try aboutEdits(from: old) { try flag.apply(edit) }
    return flag.text
  }

  /// The rule as it is written to a document: an empty object for no rule.
  private var checkedRule: String {
    get throws(FlagError) {
      if rule.isBlank { return "{}" }
      let value = try FlagValue.reading(json: rule)
      guard value.fields != nil else {
        throw FlagError(.parseError, "line 1, column 1: expected a rule, which is an object, found \(value.typeName)")
      }
      return rule
    }
  }
}

extension String {
  var isBlank: Bool { allSatisfy(\.isWhitespace) }

  /// The text with the line ends of Unix; browsers send forms with others.
  var withoutReturns: String {
    String(String.UnicodeScalarView(unicodeScalars.filter { $0 != "\r" }))
  }
}
