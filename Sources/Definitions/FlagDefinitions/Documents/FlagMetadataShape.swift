import FlagJSON
import FlagDomain

/// The form of metadata in a document: strings, numbers and booleans by their names.
enum FlagMetadataShape {
  /// Returns the metadata in a value, and adds a diagnostic for each member that is something else.
  static func read(_ value: FlagValue, at path: DocumentPath, diagnostics: inout [UnlocatedDiagnostic]) -> [String:
    FlagValue]
  {
    guard case .object(let fields) = value else {
      diagnostics.append(UnlocatedDiagnostic(path, expected: "an object with metadata by its names", found: value))
      return [:]
    }
    for field in fields.sorted(by: { $0.key < $1.key }) where !field.value.isMetadata {
      diagnostics.append(
        UnlocatedDiagnostic(path.appending(field.key), expected: "a string, a number or a boolean", found: field.value))
    }
    return fields.filter { $0.value.isMetadata }
  }
}

extension FlagValue {
  fileprivate var isMetadata: Bool {
    switch self {
    case .string, .int, .double, .bool: true
    case .null, .array, .object: false
    }
  }
}
