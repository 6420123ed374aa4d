/// The limits of rules, beyond which they are rejected or their evaluation fails; see `Docs/DefinitionFormat.md`.
package enum RuleLimits {
  /// The most operators and arrays of a rule inside each other, with shared rules counted where they are used.
  package static let levels = 100
  /// The most operators of a rule, with shared rules counted wherever they are used.
  static let operators = 65_536

  /// The most bytes of a document.
  ///
  /// A program numbers its parts in 32 bits. No part takes less than two bytes of a document, and no text of a program
  /// eleven times the bytes that it stands for, so that whatever is in a document of this size fits.
  static let documentBytes = 256 << 20
  /// The most diagnostics that are kept of a document that is loaded; where one is checked, all are.
  static let diagnostics = 100

  /// The most metadata of a document that each flag with some of its own has a copy of; more is added at each answer.
  static let sharedMetadata = 8

  /// The longest text that is kept a second time to be compared fast, in bytes of UTF-8.
  static let listedText = 1_024

  /// The most steps of an evaluation: one is an operator or a plain value that is reached.
  static let steps = 1_000_000
  /// The most bytes that an evaluation reads and makes; ``ByteCost`` says what counts how much.
  static let bytes = 32 << 20
  /// The most levels of arrays and objects that a reduction may make.
  static let nesting = 64
  /// The most levels of an array that is converted to text; deeper elements are left out.
  static let textLevels = 64
  /// The most levels of a value that decides a bucket; for a deeper one there is no bucket.
  static let bucketLevels = 256

  /// The most steps that working a part out takes while a document is loaded; after more it is left as it is.
  static let foldingSteps = 256
  /// The most bytes that working a part out reads and makes.
  static let foldingBytes = 4_096
  /// The largest text that takes the place of the part that it was worked out from, in bytes of UTF-8.
  static let foldedText = 256

  /// The most steps that an explanation shows.
  static let explainedSteps = 2_000
  /// The most bytes of rules and values that an explanation shows.
  static let explainedBytes = 1 << 20
  /// The most levels of one rule that an explanation shows, so that showing the deepest one fits a small stack.
  static let explainedLevels = 24
  /// The most bytes of one rule or one value that an explanation shows.
  static let explainedValue = 4_096
}

/// What the parts of a value count where an evaluation reads or makes them, in bytes.
///
/// The numbers follow the memory and the time that they take.
package enum ByteCost {
  /// The bytes that take about as long as a step, where the work of many evaluations is counted.
  package static let perStep = 64
  /// An element or member that is looked at.
  static let read = 16
  /// An element of an array that is made.
  static let element = 32
  /// A member of an object that is made.
  static let member = 128
  /// A byte of a string that is read as a number, or counted in UTF-16.
  static let conversion = 8
  /// A byte of a string that is searched for.
  static let needle = 12
  /// A byte of a name that is looked up in the data.
  static let name = 16
  /// The bytes up to which a variable's name costs nothing but its step.
  static let freeName = 64
}
