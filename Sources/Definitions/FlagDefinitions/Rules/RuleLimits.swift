/// The limits of rules, beyond which they are rejected or their evaluation fails; see `Docs/DefinitionFormat.md`.
package enum RuleLimits {
  /// The maximum nesting of operators and arrays in a rule, including the shared rules that it uses.
  package static let levels = 100
  /// The maximum number of operators in a rule, with shared rules counted at each use.
  static let operators = 65_536

  /// The maximum size of a document in bytes.
  ///
  /// A program numbers its parts in 32 bits. Each part takes at least two bytes of a document, and each text of a
  /// program less than eleven times the bytes that it is made from, so any document of this size fits.
  package static let documentBytes = 256 << 20
  /// The maximum number of diagnostics of a document that is loaded; a checked document has no limit.
  package static let diagnostics = 100

  /// The maximum number of members of a document's metadata for copying them to each flag with metadata of its own.
  ///
  /// Larger metadata are merged for each answer.
  static let sharedMetadata = 8

  /// The longest text that is also stored for fast comparison, in bytes of UTF-8.
  static let listedText = 1_024

  /// The maximum number of steps in an evaluation: each operator or plain value that is reached is one.
  package static let steps = 1_000_000
  /// The maximum number of bytes that an evaluation reads and creates, weighted by ``ByteCost``.
  package static let bytes = 32 << 20
  /// The maximum nesting of arrays and objects that a reduction may create.
  static let nesting = 64
  /// The maximum nesting of an array that is converted to text; deeper elements are omitted.
  static let textLevels = 64
  /// The maximum nesting of a value that decides a bucket; a deeper one has no bucket.
  static let bucketLevels = 256

  /// The maximum number of steps for folding a constant part while a document is loaded; beyond that, it is not folded.
  static let foldingSteps = 256
  /// The maximum number of bytes that constant folding reads and creates.
  static let foldingBytes = 4_096
  /// The largest text that replaces the part that it was folded from, in bytes of UTF-8.
  static let foldedText = 256

  /// The maximum number of steps in an explanation.
  static let explainedSteps = 2_000
  /// The maximum number of bytes of rules and values in an explanation.
  static let explainedBytes = 1 << 20
  /// The maximum nesting of one rule in an explanation, so that writing the deepest one fits a small stack.
  static let explainedLevels = 24
  /// The maximum number of bytes of one rule or one value in an explanation.
  static let explainedValue = 4_096
}

/// The costs of the parts of a value that an evaluation reads or creates, in bytes.
///
/// The costs reflect the memory and the time that the parts take.
package enum ByteCost {
  /// The number of bytes that take about as long as a step, for counting the work of many evaluations.
  package static let perStep = 64
  /// An element or member that is read.
  static let read = 16
  /// An element of an array that is created.
  static let element = 32
  /// A member of an object that is created.
  static let member = 128
  /// A byte of a string that is parsed as a number, or counted in UTF-16.
  static let conversion = 8
  /// A byte of a string that is searched for.
  static let needle = 12
  /// A byte of a name that is looked up in the data.
  static let name = 16
  /// The maximum number of bytes for which a variable's name costs nothing but its step.
  static let freeName = 64
}
