extension FlagDeclaration {
  func makeAccessor() -> String {
    "get { _flagManager.variation(for: _placedFlags.\(identifier)) }"
  }

  /// Returns the flag itself, under the property's name after a dollar sign, and what a derived one is read by.
  func makeBoundFlag(at location: Syntax.Location?) -> [String] {
    documentation + [
      "\(access.asWritten)var $\(name): Flags.\(storedType).Bound "
        + "{ FlagDomain.BoundFlag(_placedFlags.\(identifier), in: _flagManager) }"
    ] + (derivation.map { makeDerivation($0, at: location) } ?? [])
  }

  /// Returns the getter's own body, and what takes its place in the getter.
  private func makeDerivation(_ derivation: Derivation, at location: Syntax.Location?) -> [String] {
    let body = "private var _derived_\(name): \(type) { \(derivation.body) }"
    let read = Self.nameOfRead(at: (location?.offset ?? 0) + derivation.offset)
    return (location?.placing(body, inLine: derivation.line) ?? [body]) + [
      "private var \(read): \(type) { _flagManager.variation(for: _placedFlags.\(identifier)) }"
    ]
  }

  /// Returns the name of the property that reads a derived flag, whose attribute is at an offset in its file: the
  /// getter's expansion does not know the flag's name.
  static func nameOfRead(at offset: Int) -> String { "_derivedFlag\(offset)" }

  /// The name of the typealias for the flag's type, in the class that stores the flags.
  ///
  /// With it, the type is written once, and the compiler reports a type that cannot be a flag's only once.
  var alias: String { "_Flag_\(name)" }
  var storedType: String { alias }
  var aliasedType: String { "FlagDomain.Flag<\(type)>" }

  /// Returns the assignment, with a cast so that a type that cannot be a flag's is not reported here, too.
  func makeAssignment() -> [String] { ["self.\(identifier) = \(makeValue()) as \(storedType)"] }

  /// Returns the expression that makes the flag at its path.
  private func makeValue() -> String {
    var arguments = ["\"\(name)\""] + (key.map { ["key: \($0.code)"] } ?? []) + ["default: \(defaultValue)"]
    let others = [("computed", computed), ("fallback", fallback)]
      .compactMap { label, value in value.map { "\(label): \($0)" } }
    if let derivation {
      arguments += ["metadata: FlagDomain.FlagMetadata(\(metadata))", "in: { Flags(at: $0, $1) }"]
      let set = "\(derivation.set)(FlagDomain._DerivedFlags.manager, flags: $0)"
      return "flagCollector.derived(\(arguments.joined(separator: ", "))) { \(set)._derived_\(name) }"
    }
    if let description, key == nil, others.isEmpty {
      arguments.append(description)
    } else {
      arguments.append("metadata: FlagDomain.FlagMetadata(\(metadata))")
    }
    return "flagCollector.flag(\((arguments + others).joined(separator: ", ")))"
  }
}
