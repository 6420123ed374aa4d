public import FlagDefinitions
public import FlagDomain
import FlagJSON

/// A mismatch between documents and the code that declares their flags.
public struct CatalogMismatch: Hashable, Sendable {
  /// The kind of the mismatch.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// A document has a flag that no code declares.
    case unknownKey = "unknown-key"
    /// The code declares a flag that no document has.
    case missingKey = "missing-key"
    /// A variant's value is not of the flag's type.
    case typeMismatch = "type-mismatch"
    /// A variant's value is not among the cases of the flag's type.
    case unknownCase = "unknown-case"
    /// The flag's last day has passed.
    case expired
  }

  /// The kind of the mismatch.
  public let kind: Kind
  /// The flag's key.
  public let key: String
  /// The name of the document; nil if the mismatch is in the code.
  package let file: String?
  /// The line of the document, counted from 1; nil if the mismatch is in the code.
  package let line: Int?
  /// The character of the line, counted from 1; nil if the mismatch is in the code.
  package let column: Int?
  /// The message, with the expected and the found value.
  public let message: String
}

extension CatalogMismatch: CustomStringConvertible {
  /// The mismatch in one line: file, line and column, if it has them, key and message.
  public var description: String {
    let place = [file, line.map { "\($0)" }, column.map { "\($0)" }].compactMap { $0 }.joined(separator: ":")
    return "\(place.isEmpty ? "" : "\(place): ")\(key.excerpt): \(message) (\(kind.rawValue))"
  }
}

extension FlagManifest {
  /// Returns the mismatches between documents and the code: first those in the code, then those in each document.
  ///
  /// - Parameters:
  ///   - documents: The documents with their names. A flag may be in any of them; malformed ones count as present.
  ///   - today: The day that expiry dates are compared with.
  /// - Returns: The mismatches; empty if documents and code agree.
  public func mismatches(
    with documents: [(name: String, definitions: StoredDefinitions)], on today: CalendarDay
  ) -> [CatalogMismatch] {
    let defined = StringMap(documents.flatMap { $0.definitions.document.keys.map { ($0, ()) } })
    let declared = StringMap(entries.reversed().map { ($0.key, $0) })
    let unused = KnownNames(declared.keys.filter { defined[$0] == nil })
    let unknown = KnownNames(defined.keys.filter { declared[$0] == nil })
    var mismatches: [CatalogMismatch] = []
    for entry in entries {
      func add(_ kind: CatalogMismatch.Kind, _ message: String) {
        mismatches.append(
          CatalogMismatch(kind: kind, key: entry.key, file: nil, line: nil, column: nil, message: message))
      }
      if defined[entry.key] == nil {
        add(.missingKey, "no document defines this flag\(unknown.question(entry.key))")
      }
      if let day = entry.expires, day < today {
        add(.expired, "expired on \(day)\(entry.owner.map { ", owner \($0.excerpt)" } ?? ""), and is still declared")
      }
    }
    for (name, definitions) in documents {
      var check = DocumentCheck(today: today, unused: unused)
      for flag in definitions.document.listed { check.check(flag, against: declared[flag.key]) }
      mismatches += check.located(in: definitions, of: name)
    }
    return mismatches
  }
}

extension CatalogMismatch {
  /// Returns the flags of a document whose last day has passed, whatever the code declares.
  package static func expired(
    in definitions: StoredDefinitions, named name: String, on today: CalendarDay
  ) -> [CatalogMismatch] {
    var check = DocumentCheck(today: today, unused: KnownNames([]))
    for flag in definitions.document.listed { check.checkExpiry(of: flag) }
    return check.located(in: definitions, of: name)
  }
}

private struct DocumentCheck {
  let today: CalendarDay
  let unused: KnownNames
  private var found: [(kind: CatalogMismatch.Kind, key: String, path: DocumentPath, message: String)] = []

  init(today: CalendarDay, unused: KnownNames) {
    self.today = today
    self.unused = unused
  }

  mutating func check(_ flag: ListedFlag, against entry: FlagManifest.Entry?) {
    let path = DocumentPath.root.appending("flags").appending(flag.key)
    guard let entry else {
      found.append((.unknownKey, flag.key, path, "no code declares this flag\(unused.question(flag.key))"))
      return
    }
    for (name, value) in flag.variants {
      let path = path.appending("variants").appending(name)
      if let expected = entry.expectation(for: value) {
        let message = "variant \(name.quoted): expected \(expected), found \(value.summary)"
        found.append((.typeMismatch, flag.key, path, message))
      } else if !entry.choices.isEmpty, value != .null, !entry.choices.contains(value) {
        let cases = entry.choices.prefix(10).map { "\($0)" }.joined(separator: ", ")
        let message = "variant \(name.quoted): expected one of the cases \(cases), found \(value.summary)"
        found.append((.unknownCase, flag.key, path, message))
      }
    }
    // An expiry date in the code is reported only once, as a mismatch in the code.
    if entry.expires == nil { checkExpiry(of: flag) }
  }

  /// Finds a flag whose last day has passed: that of a retired flag, or else the one that it was given at first.
  mutating func checkExpiry(of flag: ListedFlag) {
    let isRetired = flag.metadata["retired"] == true && flag.metadata["gone"] != nil
    guard let day = flag.metadata[isRetired ? "gone" : "expires"]?.text.flatMap({ CalendarDay(validating: $0) }),
      day < today
    else { return }
    let owner = flag.metadata["owner"]?.text.map { ", owner \($0.excerpt)" } ?? ""
    let path = DocumentPath.root.appending("flags").appending(flag.key)
    found.append(
      (.expired, flag.key, path, "\(isRetired ? "retired, to be deleted after" : "expired on") \(day)\(owner)"))
  }

  func located(in definitions: StoredDefinitions, of file: String) -> [CatalogMismatch] {
    let text = KubernetesResource.document(in: definitions.text) ?? definitions.text
    return zip(found, JSONSourceLocation.locations(of: found.map(\.path), in: text))
      .map { mismatch, location in
        CatalogMismatch(
          kind: mismatch.kind, key: mismatch.key, file: file, line: location.line, column: location.column,
          message: mismatch.message)
      }
      .sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) }
  }
}

extension FlagManifest.Entry {
  /// Returns the expected type if the flag cannot have a value; nil if it can.
  func expectation(for value: FlagValue) -> String? {
    if value == .null { return isOptional || isAnything ? nil : kind.manifestName }
    switch (kind, value) {
    case (.boolean, .bool), (.number, .int), (.number, .double), (.text, .string), (.list, .array): return nil
    case (.integer(let range), _): return value.wholeNumber.map(range.contains) == true ? nil : Self.words(range)
    case (.object, _) where isAnything: return nil
    case (.object, .object): return nil
    case (.object, .array) where defaultValue.fields == nil: return nil
    default: return kind.manifestName
    }
  }

  /// Whether the default says nothing about the form of the values.
  private var isAnything: Bool { kind == .object && !defaultValue.hasParts }

  private static func words(_ range: ClosedRange<Int128>) -> String {
    range == Int128.min...Int128.max ? "integer" : "integer from \(range.lowerBound) to \(range.upperBound)"
  }
}
