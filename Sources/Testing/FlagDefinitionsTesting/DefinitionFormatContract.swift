public import FlagDefinitions
public import FlagDomain
public import Testing

/// The contract of definition formats, as checks that the tests of any format can run.
///
/// ```swift
/// @Test("Meets the contract of every format")
/// func meetsContract() throws {
///   try DefinitionFormatContract(.inHouse, document: text, unreadable: "{").check()
/// }
/// ```
public struct DefinitionFormatContract: Sendable {
  private let format: any DefinitionFormat
  private let text: [UInt8]
  private let unreadable: [UInt8]
  /// The contexts that flags are evaluated for: one without attributes.
  public var contexts = [EvaluationContext()]
  /// The time of the evaluations, in seconds since 1970-01-01 UTC: 0.
  public var seconds: Int64 = 0

  /// Creates the contract of a format.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - document: A document with at least one flag; better with flags of each kind, and a malformed one.
  ///   - unreadable: A document that cannot be read as a whole.
  public init(_ format: any DefinitionFormat, document: String, unreadable: String) {
    (self.format, text, self.unreadable) = (format, Array(document.utf8), Array(unreadable.utf8))
  }

  /// Checks the whole contract; each violation is an issue at the caller's line.
  ///
  /// - Throws: The error of a document that should be readable, but is not.
  public func check(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let document = try format.read(text, of: "file")
    #expect(!format.name.isEmpty, sourceLocation: sourceLocation)
    #expect(document.format.isEqual(to: format), sourceLocation: sourceLocation)
    checkListing(document, sourceLocation)
    for context in contexts {
      for key in document.keys { checkAnswers(document, key, context, sourceLocation) }
    }
    try checkChanges(document, sourceLocation)
    checkErrors(document, sourceLocation)
    try checkTime(document, sourceLocation)
  }

  private func checkListing(_ document: any DefinitionDocument, _ location: SourceLocation) {
    #expect(!document.listed.isEmpty, "the document has flags", sourceLocation: location)
    #expect(
      Set(document.keys.map { Array($0.utf8) }).count == document.keys.count, "a key is listed once",
      sourceLocation: location)
    for flag in document.listed {
      let found = document.listing(of: flag.key)
      #expect(found?.variants.map(\.name) == flag.variants.map(\.name), sourceLocation: location)
    }
    #expect(document.listing(of: Self.unknown) == nil, sourceLocation: location)
    #expect(document.attributes(of: Self.unknown).isEmpty, sourceLocation: location)
  }

  /// Checks that all ways to evaluate a flag agree, and that an answer's variant is a listed one.
  private func checkAnswers(
    _ document: any DefinitionDocument, _ key: String, _ context: EvaluationContext, _ location: SourceLocation
  ) {
    let outcomes = [
      Outcome { () throws(FlagError) in try document.evaluate(key, in: context, at: seconds) },
      Outcome { () throws(FlagError) in
        try document.evaluate(FlagKey(providerName: key), in: context, at: seconds) { seconds }
      },
      Outcome { () throws(FlagError) in
        try document.evaluate(FlagKey(providerName: key), in: context, at: nil) { seconds }
      },
      Outcome(document.explain(key, in: context, at: seconds)),
    ]
    #expect(Set(outcomes).count == 1, "all evaluations of \(key) agree", sourceLocation: location)
    #expect(outcomes[0].isSomething, "\(key) has an answer or an error", sourceLocation: location)
    if let variant = outcomes[0].variant {
      let names = document.listing(of: key)?.variants.map(\.name) ?? []
      #expect(names.contains(variant), "\(variant) is a variant of \(key)", sourceLocation: location)
    }
  }

  private func checkChanges(_ document: any DefinitionDocument, _ location: SourceLocation) throws {
    let same = try format.read(text, of: nil)
    #expect(document.changedKeys(from: same).isEmpty, "a text is equal to itself", sourceLocation: location)
    let stored = try StoredDefinitions(parsing: text, format: format)
    #expect(try format.merge([stored]).text == text, "one document stays as it is", sourceLocation: location)
  }

  private func checkErrors(_ document: any DefinitionDocument, _ location: SourceLocation) {
    let error = #expect(throws: FlagDocumentError.self, sourceLocation: location) {
      try format.read(unreadable, of: "file")
    }
    for diagnostic in (error?.diagnostics ?? []) + document.diagnostics {
      #expect(diagnostic.line > 0 && diagnostic.column > 0, "\(diagnostic)", sourceLocation: location)
      #expect(diagnostic.file == "file" && !diagnostic.message.isEmpty, "\(diagnostic)", sourceLocation: location)
    }
    #expect(error?.diagnostics.isEmpty == false, sourceLocation: location)
  }

  /// Checks that answers change with time at the announced instants, and only then.
  private func checkTime(_ document: any DefinitionDocument, _ location: SourceLocation) throws {
    var last = seconds
    var instants = 0
    while let next = document.nextInstant(after: last), instants < 100 {
      #expect(next > last, "an instant is after the time that is asked for", sourceLocation: location)
      #expect(
        document.changedKeys(after: last, through: next).isSubset(of: Set(document.keys)), sourceLocation: location)
      #expect(
        document.changedKeys(after: last, through: next - 1).isEmpty, "nothing changes before \(next)",
        sourceLocation: location)
      last = next
      instants += 1
    }
  }

  private static let unknown = "a-key-of-no-flag"

  private struct Outcome: Hashable {
    var variant: String?
    var value: FlagValue?
    var reason: ResolutionReason?
    var code: FlagError.Code?

    var isSomething: Bool { reason != nil || code != nil }

    init(_ evaluate: () throws(FlagError) -> FlagAnswer?) {
      do throws(FlagError) { take(try evaluate()) } catch { code = error.code }
    }

    init(_ explanation: FlagExplanation) {
      take(explanation.answer)
      code = explanation.error?.code
    }

    private mutating func take(_ answer: FlagAnswer?) {
      (variant, value, reason) = (answer?.variant, answer?.value, answer?.reason)
    }
  }
}
