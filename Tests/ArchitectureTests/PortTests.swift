import Foundation
import Testing

@Suite("Ports")
struct PortTests {
  /// Public protocols that are no ports: flags, sets, values, and what calculates.
  private static let others: Set<String> = [
    "FeatureFlag", "EnumeratedFlag", "FlagSet", "NestableFlagSet", "_PlacedFlags", "FlagAttribute",
    "FlagValueConvertible", "FlagProviderDelegate", "WritableFlagProviderDelegate", "SampleSummary",
    "ContinuousDistribution",
  ]

  @Test("The guide to the architecture names every port, its module, and how many requirements it has")
  func agreesWithGuide() throws {
    let declared = try Self.declared()
    let rows = try Repository.documentedRows(of: "port")
    for row in rows {
      let (name, module) = (row[0].codeNames.first ?? "", row[1].codeNames.first ?? "")
      #expect(declared[name]?.module == module, "\(name)")
      #expect(declared[name].map { "\($0.requirements)" } == row[2], "\(name)")
    }
    #expect(Set(rows.compactMap { $0[0].codeNames.first }) == Set(declared.keys).subtracting(Self.others))
  }

  /// Returns the public protocols of the package.
  private static func declared() throws -> [String: (module: String, requirements: Int)] {
    var declared: [String: (module: String, requirements: Int)] = [:]
    for file in try Repository.swiftFiles(under: "Sources") {
      for part in try file.text.components(separatedBy: "\npublic protocol ").dropFirst() {
        let body = part.components(separatedBy: "\n}")[0]
        let requirements = body.matches(of: /\n  (@\w+(\(.*\))? )*(static |mutating )*(func|var|init|subscript)\b/)
          .count
        declared[String(part.prefix { $0.isLetter || $0.isNumber || $0 == "_" })] = (
          Arrow.table.first { file.path.hasPrefix("\($0.folder)/") }?.target ?? "", requirements
        )
      }
    }
    return declared
  }
}
