import FlagSyntax

/// A parsed property with the attribute `@Flag`.
struct FlagDeclaration: SetMember {
  var access: Access?
  var name: String
  var identifier: String
  var nameRange: Range<Int>
  var type: String
  var typePlace: Place
  var defaultValue: String
  var key: Key?
  /// The arguments of the metadata's initializer.
  var metadata: String
  /// The description, if it is the only metadata.
  var description: String?
  var computed: String?
  var fallback: String?
  var documentation: [String]
  /// The names in the closures that may be those of flags, and their places.
  var names: [(name: String, range: Range<Int>)]
  /// The getter of a derived flag; nil for any other.
  var derivation: Derivation?

  /// The getter with the attribute `@Derived`.
  struct Derivation {
    var set: String
    var body: String
    /// The line of the body, counted from 1, and the offset of the attribute in bytes, in the source of the set.
    var line: Int
    var offset: Int
  }

  /// Parses a property, with `Self` replaced by the name of its set; throws if it cannot be a flag.
  init(_ property: Property, in source: SourceText, of set: String) throws(Problem) {
    let attribute = property.attribute
    access = property.access
    name = property.name
    identifier = property.identifier
    nameRange = source.tokens[property.nameIndex].range
    try source.checkDescription(of: attribute, named: "the flag '\(property.name)'")
    try source.checkDay(of: attribute)
    key = try source.flagKey(of: attribute, in: set)
    type = try source.flagType(of: property, in: set)
    typePlace = source.place(of: property.type ?? property.value, orElse: property.nameIndex)
    defaultValue = try source.defaultValue(of: property, in: set)
    metadata = source.metadata(of: attribute, in: set)
    description = source.onlyDescription(of: attribute, in: set)
    documentation = source.documentation(of: attribute)
    computed = attribute["computed"].map { source.text(of: $0.value, withSelf: set) }
    fallback = attribute["fallback"].map { source.text(of: $0.value, withSelf: set) }
    names = ["computed", "fallback"].compactMap { attribute[$0]?.value }.flatMap(source.freeNames)
  }
}

extension SourceText {
  /// Returns the words among some tokens that are neither members of something nor labels.
  fileprivate func freeNames(in indices: Range<Int>) -> [(name: String, range: Range<Int>)] {
    indices.filter { index in
      tokens[index].kind == .word && tokens[index - 1].text != "."
        && (index + 1 == tokens.count || tokens[index + 1].text != ":")
    }.map { (tokens[$0].name, tokens[$0].range) }
  }

  fileprivate func flagType(of property: Property, in set: String) throws(Problem) -> String {
    if let type = property.type { return text(of: type, withSelf: set) }
    let name = tokens[property.nameIndex].range
    // A member of the set itself has an unknown type other than the set's; modules are not types.
    let others: Set = ["Self", set, "Swift", "Foundation"]
    let owner = property.value.flatMap(typeOfMember).flatMap { others.contains($0) ? nil : $0 }
    let fixIt = Problem.FixIt(
      message: "write the type", range: name.upperBound..<name.upperBound,
      replacement: ": <#\(owner ?? "Type")#>")
    guard let value = property.value, let type = type(ofValue: value), type != "Self", type != set else {
      throw Problem(.noType(property.name, memberOf: owner), at: name, fixIt: fixIt)
    }
    return type.hasPrefix("Self.") ? set + type.dropFirst(4) : type
  }

  /// The implied defaults of types that have an empty value, as nil is for optionals.
  private static let impliedDefaults = ["Bool": "false", "String": #""""#]

  fileprivate func defaultValue(of property: Property, in set: String) throws(Problem) -> String {
    if let value = property.value { return text(of: value, withSelf: set) }
    guard let type = property.type, !isOptional(type) else { return "nil" }
    if let value = Self.impliedDefaults[text(of: type)] { return value }
    let end = bytes(of: type).upperBound
    let fixIt = Problem.FixIt(message: "add a default value", range: end..<end, replacement: " = <#default#>")
    throw Problem(
      .noDefault(property.name, type: text(of: type)), at: tokens[property.nameIndex].range, fixIt: fixIt)
  }
}
