import FlagDefinitions
public import FlagDomain
import FlagJSON

extension FlagManifest {
  var json: FlagValue {
    get throws(FlagError) { try FlagValue(encoding: ManifestDocument(self)) }
  }

  /// Parses a manifest that `FlagCatalog.manifest(of:)` or the OpenFeature CLI has written.
  ///
  /// - Parameter text: The manifest: JSON in UTF-8.
  /// - Throws: A parse error with the location, the expected and the found value.
  public init(parsing text: [UInt8]) throws(FlagError) {
    self = try ManifestDocument.read(text) { document throws(ValueMismatch) in FlagManifest(try document.entries) }
  }
}

/// The written form of a manifest: the OpenFeature CLI's, with additional members that the CLI ignores.
private struct ManifestDocument: JSONDocument {
  enum Version: Int, Codable { case current = 1 }

  var version: Version? = .current
  var flags: [String: Flag] = [:]

  struct Flag: Codable {
    var flagType: TypeName
    var type: TypeName?
    var defaultValue: FlagValue
    var description: String?
    var isOptional: Bool?
    var choices: [FlagValue]?
    /// A 128-bit integer; coders do not support integers of this width.
    var minimum: FlagValue?
    var maximum: FlagValue?
    var owner: String?
    var expires: String?
  }

  enum TypeName: String, Codable { case boolean, integer, number, float, string, array, object }

  fileprivate init(_ manifest: FlagManifest) {
    for entry in manifest.entries { flags[entry.key] = Flag(entry) }
  }

  fileprivate var entries: [FlagManifest.Entry] {
    get throws(ValueMismatch) {
      var entries: [FlagManifest.Entry] = []
      for (key, flag) in flags { entries.append(try flag.entry(key)) }
      return entries
    }
  }

  /// Returns a description of the value that is expected at a path of names.
  static func expectation(at names: [String]) -> String {
    switch (names.count, names.last) {
    case (0, _): "an object with \"flags\""
    case (1, "version"): "\(Version.current.rawValue)"
    case (1, _): "an object with a member for each flag"
    case (2, _): "an object"
    case (_, "flagType"): "boolean, string, integer, float or object"
    case (_, "type"): "boolean, string, integer, number, array or object"
    case (_, "defaultValue"): "the default in the code"
    case (_, "isOptional"): "a boolean"
    case (_, "choices"): "an array of values"
    case (_, "minimum"), (_, "maximum"): "a whole number"
    case (_, "expires"): "a day such as \"2027-01-31\""
    default: "a string"
    }
  }
}

extension ManifestDocument.Flag {
  fileprivate init(_ entry: FlagManifest.Entry) {
    type = ManifestDocument.TypeName(entry.kind)
    // The OpenFeature CLI does not support arrays, and supports null only as an object.
    switch entry.kind {
    case _ where entry.defaultValue == .null: flagType = .object
    case .list: flagType = .object
    case .number: flagType = .float
    case let kind: flagType = ManifestDocument.TypeName(kind)
    }
    defaultValue = entry.defaultValue
    description = entry.description.isEmpty ? nil : entry.description
    isOptional = entry.isOptional ? true : nil
    choices = entry.choices.isEmpty ? nil : entry.choices
    if case .integer(let range) = entry.kind, range != Int128.min...Int128.max {
      (minimum, maximum) = (.int(range.lowerBound), .int(range.upperBound))
    }
    owner = entry.owner
    expires = entry.expires.map { "\($0)" }
  }

  fileprivate func entry(_ key: String) throws(ValueMismatch) -> FlagManifest.Entry {
    if [.number, .array].contains(flagType) { throw ValueMismatch(names: ["flags", key, "flagType"]) }
    let least = try bound(minimum ?? .int(.min), "minimum", of: key)
    let most = try bound(maximum ?? .int(.max), "maximum", of: key)
    let day = expires.flatMap { CalendarDay(validating: $0) }
    if expires != nil, day == nil { throw ValueMismatch(names: ["flags", key, "expires"]) }
    let entry = FlagManifest.Entry(
      key: key, kind: (type ?? flagType).kind(least...max(least, most)), isOptional: isOptional ?? false,
      choices: choices ?? [], defaultValue: defaultValue, description: description ?? "", owner: owner, expires: day)
    if let expected = entry.expectation(for: defaultValue) {
      throw ValueMismatch(names: ["flags", key, "defaultValue"], expected: expected)
    }
    return entry
  }

  private func bound(_ value: FlagValue, _ name: String, of key: String) throws(ValueMismatch) -> Int128 {
    guard case .int(let number) = value else { throw ValueMismatch(names: ["flags", key, name]) }
    return number
  }
}

extension ManifestDocument.TypeName {
  fileprivate init(_ kind: FlagDataType.Kind) {
    switch kind {
    case .boolean: self = .boolean
    case .integer: self = .integer
    case .number: self = .number
    case .text: self = .string
    case .list: self = .array
    case .object: self = .object
    }
  }

  fileprivate func kind(_ range: ClosedRange<Int128>) -> FlagDataType.Kind {
    switch self {
    case .boolean: .boolean
    case .integer: .integer(range)
    case .number, .float: .number
    case .string: .text
    case .array: .list
    case .object: .object
    }
  }
}

extension FlagDataType.Kind {
  /// The name of the kind in a manifest.
  var manifestName: String { ManifestDocument.TypeName(self).rawValue }
}
