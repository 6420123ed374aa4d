import FlagSyntax

/// A parsed property with the attribute `@FlagGroup`.
struct GroupDeclaration: SetMember {
  var access: Access?
  var name: String
  var identifier: String
  var type: String
  var typePlace: Place
  var key: Key?
  /// The arguments of the metadata's initializer; nil for the metadata of the group's own set.
  var metadata: String?
  var documentation: [String]
  var isRepeated = false

  init(_ property: Property, in source: SourceText, of set: String) throws(Problem) {
    access = property.access
    name = property.name
    identifier = property.identifier
    key = try source.key(of: property.attribute, mayBeEmpty: true)
    documentation = source.documentation(of: property.attribute)
    let metadata = source.metadata(of: property.attribute, in: set)
    if !metadata.isEmpty {
      try source.checkDescription(of: property.attribute, named: "the group '\(property.name)'")
      self.metadata = metadata
    }
    if let value = property.value { throw Problem(.groupWithValue, at: source.bytes(of: value)) }
    guard let type = property.type else {
      throw Problem(.groupWithoutType, at: source.tokens[property.nameIndex].range)
    }
    let first = source.tokens[type.lowerBound]
    guard !source.isOptional(type), first.kind == .word, !Self.standardTypes.contains(first.text) else {
      throw Problem(.groupNotASet(source.text(of: type)), at: source.bytes(of: type))
    }
    self.type = source.text(of: type, withSelf: set)
    typePlace = source.place(of: type, orElse: property.nameIndex)
    guard self.type != set else { throw Problem(.groupInItself(set), at: source.bytes(of: type)) }
  }

  /// Types that are known not to be sets.
  static let standardTypes: Set = [
    "Array", "Bool", "Dictionary", "Double", "Float", "Int", "Optional", "String", "UInt",
  ]
}
