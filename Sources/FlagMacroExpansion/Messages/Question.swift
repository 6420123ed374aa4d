enum Question: Decodable {
  case capability
  case expansion(ExpansionRequest)
  /// Something that no declaration of ours leads to.
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
  }
}

/// A declaration that has one of our attributes, and the role in which the attribute is asked.
struct ExpansionRequest: Decodable {
  var macro: Macro
  var macroRole: String
  var attributeSyntax: Syntax
  var declSyntax: Syntax
  /// The declarations around this one, innermost first, their bodies left out.
  var lexicalContext: [Syntax]?
  var extendedTypeSyntax: Syntax?
  /// A declaration with the conformances that are asked for; none where there is nothing left to conform to.
  var conformanceListSyntax: Syntax?

  struct Macro: Decodable {
    var typeName: String
  }
}
