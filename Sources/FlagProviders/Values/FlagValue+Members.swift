package import FlagDomain

extension FlagValue {
  /// The members of an object; nil for anything else.
  package var members: [String: FlagValue]? { if case .object(let members) = self { members } else { nil } }
  /// The text of a string; nil for anything else.
  package var text: String? { if case .string(let text) = self { text } else { nil } }
}
