enum Question: Decodable {
  case capability
  case expansion(ExpansionRequest)
  /// A request that this package's macros never cause.
  case unknown

  private enum CodingKeys: String, CodingKey {
    case capability = "getCapability"
    case expansion = "expandAttachedMacro"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if container.contains(.capability) {
      self = .capability
    } else if let request = try container.decodeIfPresent(ExpansionRequest.self, forKey: .expansion) {
      self = .expansion(request)
    } else {
      self = .unknown
    }
  }
}

struct Syntax: Decodable {
  var source: String
  var location: Location

  struct Location: Decodable {
    var fileName: String
    /// The distance from the start of the file, in bytes.
    var offset: Int
    /// The line, counted from 1; nil if the compiler does not say it.
    var line: Int?
  }
}

/// A request to expand one attribute of this package in one role.
struct ExpansionRequest: Decodable {
  var macro: Macro
  var macroRole: String
  var attributeSyntax: Syntax
  var declSyntax: Syntax
  /// The enclosing declarations, innermost first, without their bodies.
  var lexicalContext: [Syntax]?
  var extendedTypeSyntax: Syntax?
  /// A declaration with the requested conformances; nil if none is missing.
  var conformanceListSyntax: Syntax?
  /// The language features and conditions that are enabled, as JSON; nil from compilers before 6.3.
  var staticBuildConfiguration: String?

  struct Macro: Decodable {
    var typeName: String
  }
}
