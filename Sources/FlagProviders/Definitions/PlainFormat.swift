public import FlagDefinitions
import FlagDomain
import FlagJSON

/// A format of names and values in JSON, such as `{"new-search": true, "feed": {"page-size": 20}}`, without rules.
///
/// A flag's value is the outermost member whose name is the flag's whole key, or else the value at the key as a path:
/// `feed.page-size` is the member `page-size` of the member `feed`.
public struct PlainFormat: DefinitionFormat, Hashable {
  /// Whether values are texts, which are read as the flag's type.
  let hasTexts: Bool

  /// Creates the format whose values are of the flags' types.
  public init() { self.init(hasTexts: false) }

  init(hasTexts: Bool) { self.hasTexts = hasTexts }

  /// The name `plain values`, or `plain strings`.
  public var name: String { hasTexts ? "plain strings" : "plain values" }

  /// Reads a document: an object in JSON.
  public func read(_ text: [UInt8], of file: String?) throws(FlagDocumentError) -> any DefinitionDocument {
    let problem: UnlocatedDiagnostic
    do throws(JSONError) {
      let root = try FlagValue(json: text)
      if case .object = root { return PlainDocument(tree: ValueTree(root: root), hasTexts: hasTexts) }
      problem = UnlocatedDiagnostic(.root, expected: "an object of names and values", found: root)
    } catch {
      problem = UnlocatedDiagnostic(error)
    }
    throw FlagDocumentError(diagnostics: [problem].located(in: text, of: file))
  }
}

extension DefinitionFormat where Self == PlainFormat {
  /// The format of names and values, each of its flag's type.
  public static var plainValues: Self { Self(hasTexts: false) }

  /// The format of names and texts, which are read as the flag's type: "1", "TRUE" and "yes" of a boolean flag are
  /// true, "3" of a number is 3, and an array or object is JSON in a text.
  public static var plainStrings: Self { Self(hasTexts: true) }
}

/// The values of a document without rules.
private struct PlainDocument: DefinitionDocument {
  let tree: ValueTree
  let hasTexts: Bool

  var format: any DefinitionFormat { PlainFormat(hasTexts: hasTexts) }
  var diagnostics: [DocumentDiagnostic] { [] }
  var textReader: TextReader? { hasTexts ? FlagValue.reading(json:) : nil }

  /// The outermost members.
  var listed: [ListedFlag] {
    (tree.root.fields ?? [:]).inOrder.map { ListedFlag(key: $0, variants: [("value", $1)]) }
  }

  func listing(of key: String) -> ListedFlag? {
    tree.root.fields?[key].map { ListedFlag(key: key, variants: [("value", $0)]) }
  }

  func evaluate(
    _ key: String, in context: EvaluationContext, at seconds: @autoclosure () -> Int64
  ) throws(FlagError) -> FlagAnswer? {
    try tree.answer(for: key)
  }

  func changedKeys(from older: any DefinitionDocument) -> Set<String> {
    guard let older = older as? PlainDocument, older.hasTexts == hasTexts else {
      return Set(keys).union(older.keys)
    }
    guard case .some(let names)? = tree.changes(since: older.tree) else { return [] }
    return names
  }
}
