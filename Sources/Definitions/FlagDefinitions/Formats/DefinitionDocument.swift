public import FlagDomain

/// The flags of one document, read by a ``DefinitionFormat`` and ready to be evaluated.
///
/// Times are in seconds since 1970-01-01 UTC.
public protocol DefinitionDocument: Sendable {
  /// The format that read the document.
  var format: any DefinitionFormat { get }

  /// The errors of single flags, and warnings if the format has some, in the order of the document.
  var diagnostics: [DocumentDiagnostic] { get }

  /// All flags in the order of the document, including malformed ones, with each key once.
  var listed: [ListedFlag] { get }

  /// Returns the flag with a key; nil if the document has no such flag.
  func listing(of key: String) -> ListedFlag?

  /// Evaluates a flag.
  ///
  /// - Returns: The answer, or nil if the document has no such flag.
  /// - Throws: A `FlagError` if the flag is malformed, or its rule cannot be evaluated.
  func evaluate(
    _ key: String, in context: EvaluationContext, at seconds: @autoclosure () -> Int64
  ) throws(FlagError) -> FlagAnswer?

  /// Evaluates a flag that code reads.
  ///
  /// The default evaluates the flag with the key's name at the moment. Without a moment it uses the current time, and
  /// the answers of a document that has instants are transient.
  ///
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - context: The context that the flag is evaluated for.
  ///   - moment: A time that the caller advances at each ``nextInstant(after:)``; answers that only compare the time
  ///     with numbers are computed for this moment, and may be cached. Nil if the caller does not advance a time.
  ///   - now: A closure that returns the current time.
  /// - Returns: The answer, or nil if the document has no such flag.
  /// - Throws: A `FlagError` if the flag is malformed, or its rule cannot be evaluated.
  func evaluate(
    _ key: FlagKey, in context: EvaluationContext, at moment: Int64?, now: () -> Int64
  ) throws(FlagError) -> FlagAnswer?

  /// Evaluates a flag, and records the steps of the evaluation; the default records none.
  func explain(_ key: String, in context: EvaluationContext, at seconds: Int64) -> FlagExplanation

  /// Returns the names of the attributes that a flag's rule reads; the default returns an empty set.
  func attributes(of key: String) -> Set<String>

  /// The names of the attributes that experiments count by; the default reads them from the metadata of listed flags.
  var unitAttributes: Set<String> { get }

  /// A function that parses texts as arrays or objects, where all values are texts, which are read as the flag's type;
  /// the default is nil, for typed values.
  var textReader: TextReader? { get }

  /// Returns the keys of the flags that only one of two documents defines, or that they define differently.
  func changedKeys(from older: any DefinitionDocument) -> Set<String>

  /// The keys of the flags that cannot be evaluated as they are defined, by themselves or by what they need.
  ///
  /// Where a document replaces another one, such flags are answered by their last good definition. The default is none.
  var brokenKeys: Set<String> { get }

  /// Returns a document that evaluates some of the flags as this one does, and holds no more than they need.
  ///
  /// The default returns the whole document.
  func excerpt(of keys: Set<String>) -> any DefinitionDocument

  /// Returns the next time at which an answer may change; the default returns nil, which means never.
  func nextInstant(after seconds: Int64) -> Int64?

  /// Returns the keys of the flags whose answers may change after one time, up to and including another, later one.
  func changedKeys(after start: Int64, through end: Int64) -> Set<String>
}

extension DefinitionDocument {
  /// The keys of all flags, including malformed ones.
  public var keys: [String] { listed.map(\.key) }

  /// Evaluates the flag with the key's name at the moment, or at the current time.
  public func evaluate(
    _ key: FlagKey, in context: EvaluationContext, at moment: Int64?, now: () -> Int64
  ) throws(FlagError) -> FlagAnswer? {
    var answer = try evaluate(key.name, in: context, at: moment ?? now())
    if moment == nil, nextInstant(after: .min) != nil { answer?.isTransient = true }
    return answer
  }

  /// Evaluates a flag without recording steps.
  public func explain(_ key: String, in context: EvaluationContext, at seconds: Int64) -> FlagExplanation {
    var explanation = FlagExplanation(key: key)
    do throws(FlagError) {
      explanation.answer = try evaluate(key, in: context, at: seconds)
    } catch {
      explanation.error = error
    }
    return explanation
  }

  /// Returns no attributes.
  public func attributes(of key: String) -> Set<String> { [] }

  /// The names of the attributes that the metadata of listed flags name as `unitAttribute`.
  public var unitAttributes: Set<String> { Set(listed.compactMap(\.metadata.unitAttribute)) }

  /// Nil: values are typed.
  public var textReader: TextReader? { nil }

  /// No keys.
  public var brokenKeys: Set<String> { [] }

  /// Returns the whole document.
  public func excerpt(of keys: Set<String>) -> any DefinitionDocument { self }

  /// Returns nil: no answer depends on the time.
  public func nextInstant(after seconds: Int64) -> Int64? { nil }

  /// Returns no keys: no answer depends on the time.
  public func changedKeys(after start: Int64, through end: Int64) -> Set<String> { [] }
}

/// A flag of a document, as servers and consoles list it.
public struct ListedFlag: Sendable {
  /// The flag's key.
  public let key: String
  /// The flag's possible values by the names of its variants, in the order of the names; empty for a malformed flag.
  public let variants: [(name: String, value: FlagValue)]
  /// The metadata of the flag, merged with the document's.
  public let metadata: [String: FlagValue]
  /// Whether clients of users may have answers of the flag, and not only servers.
  package var isForClients = true

  /// Creates a listed flag.
  public init(key: String, variants: [(name: String, value: FlagValue)], metadata: [String: FlagValue] = [:]) {
    (self.key, self.variants, self.metadata) = (key, variants, metadata)
  }

  /// Whether the flag has a number that is written with a fraction or an exponent.
  package var isFractional: Bool {
    variants.contains { if case .double = $0.value { true } else { false } }
  }
}
