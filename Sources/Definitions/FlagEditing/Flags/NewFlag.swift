import FlagDefinitions
public import FlagDomain
import FlagJSON

/// A flag that is to be made.
public struct NewFlag: Hashable, Sendable {
  /// The key.
  public var key: String
  /// The variants, in the order in which they are written; all of one type.
  public var variants: [FlagVariant]
  /// The name of the variant for everyone; nil for the code's default.
  public var defaultVariant: String?
  /// Whether the flag is switched on.
  public var isEnabled: Bool
  /// The metadata, in the order in which they are written; those with an empty string are left out.
  public var metadata: [(name: String, value: FlagValue)] {
    [
      (FlagMetadataName.description, .string(description)), (FlagMetadataName.owner, .string(owner)),
      (FlagMetadataName.expires, .string(expires.map { "\($0)" } ?? "")),
    ].filter { $0.1 != .string("") }
  }

  /// The description; empty for none.
  public var description = ""
  /// The person or team responsible for the flag; empty for none.
  public var owner = ""
  /// The last day on which the flag should be in the code; nil for none.
  public var expires: CalendarDay?

  /// Creates a flag without metadata.
  public init(
    _ key: String, variants: [FlagVariant] = Self.switchVariants, defaultVariant: String? = nil, isEnabled: Bool = true
  ) {
    (self.key, self.variants, self.defaultVariant) = (key, variants, defaultVariant)
    self.isEnabled = isEnabled
  }

  /// The variants of a switch: on and off.
  public static let switchVariants = [FlagVariant("on", true), FlagVariant("off", false)]

  /// Returns the definition as JSON.
  ///
  /// - Parameter isOnLines: Whether each member is on a line of its own.
  /// - Returns: The JSON.
  /// - Throws: An error if there is no variant, if two have one name or two types, or if the default is none of them.
  func json(isOnLines: Bool) throws(FlagError) -> String {
    try check()
    var members = [("state", FlagValue.string(isEnabled ? "ENABLED" : "DISABLED").description)]
    let values = try variants.map { variant throws(FlagError) in (variant.name, try variant.value.jsonString()) }
    members.append(("variants", Self.object(values, isOnLines)))
    if let defaultVariant { members.append(("defaultVariant", defaultVariant.jsonLiteral)) }
    let metadata = metadata
    if !metadata.isEmpty {
      members.append(("metadata", Self.object(metadata.map { ($0.name, $0.value.description) }, isOnLines)))
    }
    return Self.object(members, isOnLines)
  }

  private func check() throws(FlagError) {
    guard let first = variants.first else { throw FlagError(.general, "expected a variant, found none") }
    for (index, variant) in variants.enumerated() {
      try variant.checkName(among: variants[..<index].map(\.name))
      try variant.checkKind(like: first)
    }
    if let defaultVariant, !variants.contains(where: { $0.name.isIdentical(to: defaultVariant) }) {
      throw FlagError(
        .general,
        "expected one of the variants \(variants.map(\.name.excerpt).joined(separator: ", ")) as the default, "
          + "found \(defaultVariant.quoted)")
    }
  }

  private static func object(_ members: [(name: String, json: String)], _ isOnLines: Bool) -> String {
    let texts = members.map { "\($0.name.jsonLiteral): \($0.json)" }
    guard isOnLines else { return "{\(texts.joined(separator: ", "))}" }
    return "{\n  \(texts.map { $0.replacing("\n", with: "\n  ") }.joined(separator: ",\n  "))\n}"
  }
}

extension FlagVariant {
  /// Checks that the name is one, and is not taken.
  func checkName(among names: [String]) throws(FlagError) {
    if name.isEmpty { throw FlagError(.general, "expected a variant's name, found nothing") }
    if let other = names.first(where: { $0 == name }) {
      let found = other.isIdentical(to: name) ? "which is taken" : "which looks like one that is taken"
      throw FlagError(.general, "expected a new name of a variant, found \(name.quoted), \(found)")
    }
  }

  /// Checks that the value has the type of another variant's.
  func checkKind(like other: FlagVariant?) throws(FlagError) {
    guard let kind = value.variantKind else {
      throw FlagError(.typeMismatch, "expected a value of the variant \(name.quoted), found null")
    }
    guard let wanted = other?.value.variantKind, wanted != kind else { return }
    throw FlagError(
      .typeMismatch,
      "expected a value of the type \(wanted.rawValue), as the other variants have, found \(value.summary)")
  }
}
