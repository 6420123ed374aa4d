import FlagDefinitions
public import FlagDomain
import FlagJSON

extension FlagManifest {
  /// The version of what is written beside the members that the OpenFeature CLI knows.
  private static let version: Int128 = 1

  var json: FlagValue {
    var flags: [String: FlagValue] = [:]
    for entry in entries { flags[entry.key] = .object(entry.fields) }
    return ["version": .int(Self.version), "flags": .object(flags)]
  }
}

extension FlagManifest.Entry {
  fileprivate var fields: [String: FlagValue] {
    var fields: [String: FlagValue] = [
      "flagType": .string(flagType), "type": .string(kind.manifestName), "defaultValue": defaultValue,
    ]
    if !description.isEmpty { fields["description"] = .string(description) }
    if isOptional { fields["isOptional"] = true }
    if !choices.isEmpty { fields["choices"] = .array(choices) }
    if case .integer(let range) = kind, range != Int128.min...Int128.max {
      fields["minimum"] = .int(range.lowerBound)
      fields["maximum"] = .int(range.upperBound)
    }
    if let owner { fields["owner"] = .string(owner) }
    if let expires { fields["expires"] = .string("\(expires)") }
    return fields
  }

  /// The type as the OpenFeature CLI names it, for which null is an object alone.
  private var flagType: String {
    switch kind {
    case _ where defaultValue == .null: "object"
    case .boolean: "boolean"
    case .integer: "integer"
    case .number: "float"
    case .text: "string"
    case .list, .object: "object"
    }
  }
}

extension FlagDataType.Kind {
  var manifestName: String {
    switch self {
    case .boolean: "boolean"
    case .integer: "integer"
    case .number: "number"
    case .text: "string"
    case .list: "array"
    case .object: "object"
    }
  }

  fileprivate init?(named name: String, _ range: ClosedRange<Int128>) {
    switch name {
    case "boolean": self = .boolean
    case "integer": self = .integer(range)
    case "number", "float": self = .number
    case "string": self = .text
    case "array": self = .list
    case "object": self = .object
    default: return nil
    }
  }
}

// MARK: - Reading

extension FlagManifest {
  /// Reads what `FlagCatalog.manifest(of:)` wrote, or a manifest of the OpenFeature CLI.
  ///
  /// - Parameter text: The manifest: JSON in UTF-8.
  /// - Throws: A parse error that says where the text is not what was expected.
  public init(parsing text: [UInt8]) throws(FlagError) {
    let value = try FlagValue.reading(json: text)
    do throws(ManifestProblem) {
      guard let fields = value.fields else { throw ManifestProblem(.root, "an object with \"flags\"", value) }
      switch fields["version"] {
      case nil, .int(Self.version): break
      case let other: throw ManifestProblem(DocumentPath.root.appending("version"), "\(Self.version)", other)
      }
      let path = DocumentPath.root.appending("flags")
      guard let flags = fields["flags"]?.fields else {
        throw ManifestProblem(path, "an object with a member for each flag", fields["flags"])
      }
      var entries: [Entry] = []
      for (key, flag) in flags { entries.append(try Entry(key, flag, at: path.appending(key))) }
      self.init(entries)
    } catch {
      let location = JSONSourceLocation.locations(of: [error.path], in: text)[0]
      throw FlagError(.parseError, "\(location): \(error.path): \(error.message)")
    }
  }
}

private struct ManifestProblem: Error {
  let path: DocumentPath
  let message: String

  init(_ path: DocumentPath, _ expected: String, _ found: FlagValue?) {
    self.path = path
    message = "expected \(expected), found \(found?.summary ?? "nothing")"
  }
}

extension FlagManifest.Entry {
  fileprivate init(_ key: String, _ flag: FlagValue, at path: DocumentPath) throws(ManifestProblem) {
    guard let fields = flag.fields else { throw ManifestProblem(path, "an object", flag) }
    let reader = ManifestFields(fields: fields, path: path)
    let range =
      try reader.integer("minimum", .min)...max(reader.integer("maximum", .max), reader.integer("minimum", .min))
    self.key = key
    kind = try reader.kind(range)
    isOptional = fields["isOptional"] == true
    choices = fields["choices"]?.elements ?? []
    guard let value = fields["defaultValue"] else {
      throw ManifestProblem(path.appending("defaultValue"), "the default in the code", nil)
    }
    defaultValue = value
    description = try reader.text("description") ?? ""
    owner = try reader.text("owner")
    expires = try reader.text("expires").map { text throws(ManifestProblem) in
      guard let day = CalendarDay(validating: text) else {
        throw ManifestProblem(path.appending("expires"), "a day such as \"2027-01-31\"", .string(text))
      }
      return day
    }
    if let expected = expectation(for: value) { throw ManifestProblem(path.appending("defaultValue"), expected, value) }
  }
}

private struct ManifestFields {
  let fields: [String: FlagValue]
  let path: DocumentPath

  func text(_ name: String) throws(ManifestProblem) -> String? {
    guard let value = fields[name] else { return nil }
    guard case .string(let text) = value else { throw ManifestProblem(path.appending(name), "a string", value) }
    return text
  }

  func integer(_ name: String, _ fallback: Int128) throws(ManifestProblem) -> Int128 {
    guard let value = fields[name] else { return fallback }
    guard case .int(let number) = value else { throw ManifestProblem(path.appending(name), "a whole number", value) }
    return number
  }

  func kind(_ range: ClosedRange<Int128>) throws(ManifestProblem) -> FlagDataType.Kind {
    let names = "boolean, string, integer, float or object"
    guard case .string(let flagType)? = fields["flagType"], flagType != "number", flagType != "array",
      let kind = FlagDataType.Kind(named: flagType, range)
    else {
      throw ManifestProblem(path.appending("flagType"), names, fields["flagType"])
    }
    guard let type = try text("type") else { return kind }
    guard let kind = FlagDataType.Kind(named: type, range) else {
      throw ManifestProblem(path.appending("type"), "boolean, string, integer, number, array or object", .string(type))
    }
    return kind
  }
}
