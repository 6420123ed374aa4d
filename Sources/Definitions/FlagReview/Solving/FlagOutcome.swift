import FlagDefinitions
public import FlagDomain

/// The outcome of a definition for a user.
public struct FlagOutcome: Hashable, Sendable {
  /// The kind of the outcome.
  public enum Kind: String, Hashable, Sendable {
    /// A variant's value.
    case variant
    /// The default in the code, for example because the flag is disabled.
    case codeDefault = "default"
    /// No answer: the document has no such flag.
    case noFlag = "absent"
    /// No answer: the flag cannot be evaluated.
    case error
  }

  /// The kind of the outcome.
  public let kind: Kind
  /// The variant's name; nil if the outcome is not a variant.
  public let variant: String?
  /// The variant's value; nil if the outcome is not a variant.
  public let value: FlagValue?

  init(_ kind: Kind) {
    self.kind = kind
    variant = nil
    value = nil
  }

  init(_ answer: FlagAnswer) {
    kind = answer.value == nil ? .codeDefault : .variant
    variant = answer.value == nil ? nil : answer.variant
    value = answer.value
  }
}

extension FlagOutcome: CustomStringConvertible {
  /// The outcome in words: the variant's name, or the kind of the outcome.
  public var description: String {
    switch kind {
    case .variant: variant ?? "a variant"
    case .codeDefault: "the code's default"
    case .noFlag: "no flag"
    case .error: "an error"
    }
  }
}
