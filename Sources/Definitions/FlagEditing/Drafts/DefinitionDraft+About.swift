import FlagDefinitions
import FlagDomain
import FlagReview

/// A part of a flag's metadata that says what the flag is, and whose.
package enum AboutField: String, CaseIterable, Hashable, Sendable {
  /// The purpose of the flag.
  case description
  /// The person or team responsible for the flag.
  case owner
  /// The last day on which the flag should be in the code, such as 2027-01-31.
  case expires
}

extension [AboutField: String] {
  /// Reads the fields in a flag's metadata.
  init(in metadata: FlagValue?) {
    self.init()
    for field in AboutField.allCases {
      switch metadata?.fields?[field.rawValue] {
      case nil: break
      case .string(let text)?: self[field] = text
      case let value?: self[field] = value.description
      }
    }
  }
}

extension DefinitionDraft {
  /// Returns the edits of the metadata from an older draft; a field whose text is the same stays as it is written.
  func aboutEdits(from old: DefinitionDraft) throws(FlagError) -> [DefinitionEdit] {
    var edits: [DefinitionEdit] = []
    for field in AboutField.allCases {
      let (text, before) = (about[field] ?? "", old.about[field] ?? "")
      guard !text.withoutReturns.isIdentical(to: before.withoutReturns) else { continue }
      if field == .expires, !text.isEmpty, CalendarDay(validating: text) == nil {
        throw FlagError(.general, "expires: expected a day such as 2027-01-31, found “\(text.excerpt)”")
      }
      edits.append(.setMetadata(field.rawValue, text.isEmpty ? nil : .string(text.withoutReturns), of: key))
    }
    return edits
  }
}
