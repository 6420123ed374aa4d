import FlagDomain
import Foundation

/// Findings in the Static Analysis Results Interchange Format, version 2.1.0.
struct SARIFReport {
  let findings: [Finding]

  init(_ findings: [Finding]) { self.findings = findings }
}

extension SARIFReport {
  var json: FlagValue {
    let rules = Set(findings.map(\.rule)).sorted()
    let driver: [String: any FlagAttribute] = [
      "name": "flagctl", "rules": rules.map { FlagValue(["id": $0]) },
    ]
    return FlagValue([
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
      "runs": [
        FlagValue([
          "tool": FlagValue(["driver": FlagValue(driver)]), "columnKind": "unicodeCodePoints",
          "results": findings.map { $0.sarif(rules) },
        ])
      ],
    ])
  }
}

extension Finding {
  fileprivate func sarif(_ rules: [String]) -> FlagValue {
    FlagValue([
      "ruleId": rule, "ruleIndex": rules.firstIndex(of: rule) ?? 0, "level": severity.rawValue,
      "message": FlagValue(["text": message]), "locations": [place].compactMap { $0?.sarif },
    ])
  }
}

extension Finding.Place {
  fileprivate var sarif: FlagValue {
    FlagValue([
      "physicalLocation": FlagValue([
        "artifactLocation": FlagValue(["uri": uri]),
        "region": FlagValue(["startLine": line, "startColumn": column]),
      ])
    ])
  }

  /// The path as a reference of RFC 3986; an absolute one has the scheme of files.
  private var uri: String {
    let path = file.hasPrefix("./") ? String(file.dropFirst(2)) : file
    // A colon in the first segment would end a scheme.
    let allowed = CharacterSet.urlPathAllowed.subtracting([":", ";"])
    let escaped = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
    return path.hasPrefix("/") ? "file://\(escaped)" : escaped
  }
}
