enum Answer: Encodable {
  case capability
  case expansion(ExpansionResult)

  private enum CodingKeys: String, CodingKey {
    case capability = "getCapabilityResult"
    case expansion = "expandMacroResult"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .capability: try container.encode(["capability": Capability()], forKey: .capability)
    case .expansion(let result): try container.encode(result, forKey: .expansion)
    }
  }

  /// The version of the protocol between compiler and plugin.
  private struct Capability: Encodable {
    var protocolVersion = 7
    var features: [String] = []
  }
}

/// The expansion of a declaration, and the diagnostics for it.
struct ExpansionResult: Encodable {
  var expandedSource: String?
  var diagnostics: [Message]

  init(_ expandedSource: String?, diagnostics: [Message] = []) {
    self.expandedSource = expandedSource
    self.diagnostics = diagnostics
  }

  struct Message: Encodable, Equatable {
    var message: String
    var severity = "error"
    var position: Position
    var highlights: [Range] = []
    /// The notes, which the protocol requires; always empty, since the message says everything.
    var notes: [String] = []
    var fixIts: [FixIt] = []
  }

  struct Position: Encodable, Equatable {
    var fileName: String
    var offset: Int
  }

  struct Range: Encodable, Equatable {
    var fileName: String
    var startOffset: Int
    var endOffset: Int
  }

  struct FixIt: Encodable, Equatable {
    var message: String
    var changes: [Change]
  }

  struct Change: Encodable, Equatable {
    var range: Range
    var newText: String
  }
}
