import FlagDefinitions
import FlagDomain
import FlagSupport

/// The report of `references`, for people, programs and pull requests.
struct ReferencesReport {
  let sources: [String]
  let references: FlagReferences

  private var flags: [FlagReferences.Flag] { references.flags }
  private var unread: [FlagReferences.Flag] { flags.filter(\.isUnread) }
  private var expired: [FlagReferences.Flag] { flags.filter(\.isExpiredAndRead) }

  var hasFindings: Bool { !unread.isEmpty || !expired.isEmpty }

  // MARK: - Text

  var text: String {
    var lines = flags.flatMap(\.lines)
    lines.append(summaryLine)
    return lines.text
  }

  private var summaryLine: String {
    let all = flags.count.counted("flag")
    return "\(all): \(unread.count) that nothing reads, \(expired.count) that expired and may still be read."
  }
}

extension FlagReferences.Flag {
  fileprivate var lines: [String] {
    var lines = ["\(names): \(outcome)\(expiry)"]
    lines.append("  " + (declaration.map { "declared: \($0)" } ?? "no declaration found"))
    lines += reads.map { "  may be read: \($0)" }
    return lines
  }

  fileprivate var names: String {
    let names = keys.map(\.excerpt)
    return names.isEmpty ? (title ?? "") : names.joined(separator: ", ")
  }

  fileprivate var outcome: String {
    if reads.isEmpty { return "nothing reads it" }
    return "may be read in \(reads.count.counted("place"))"
  }

  fileprivate var expiry: String {
    guard let expires else { return "" }
    let owner = owner.map { ", owner \($0.excerpt)" } ?? ""
    return isExpired ? "; expired on \(expires)\(owner)" : "; expires on \(expires)\(owner)"
  }
}

extension FlagReferences.Place: CustomStringConvertible {
  var description: String { "\(file):\(line):\(column)" }
}

// MARK: - JSON

extension ReferencesReport {
  var json: FlagValue {
    FlagValue(["version": 1, "source": sources[0], "sources": sources, "flags": flags.map(\.json)])
  }
}

extension FlagReferences.Flag {
  fileprivate var json: FlagValue {
    FlagValue([
      "keys": keys, "name": title, "declaration": declaration.map { FlagValue($0.members) },
      "reads": reads.map { FlagValue($0.members) },
      "expires": expires.map { "\($0)" }, "owner": owner, "isExpired": isExpired, "isUnread": isUnread,
    ])
  }
}

extension FlagReferences.Place {
  fileprivate var members: [String: any FlagAttribute] { ["file": file, "line": line, "column": column] }
}

// MARK: - Markdown

extension ReferencesReport {
  /// The report for a pull request, which lists necessary actions only.
  var summary: String {
    var lines = ["### Feature flags", "", summaryLine, ""]
    if hasFindings {
      lines += ["| flag | | where |", "|---|---|---|"]
      lines += unread.map { $0.row("nothing reads it", [$0.declaration].compactMap { $0 }) }
      lines += expired.map { $0.row("expired, may still be read", $0.reads) }
      lines.append("")
    }
    return lines.joined(separator: "\n")
  }
}

extension FlagReferences.Flag {
  private static let placesInRow = 5

  fileprivate func row(_ finding: String, _ places: [FlagReferences.Place]) -> String {
    var lines: [String] = []
    for place in places.map({ "\($0.file):\($0.line)".markdownCode }) where lines.last != place { lines.append(place) }
    let shown = lines.prefix(Self.placesInRow)
    let more = lines.count > shown.count ? " and \(lines.count - shown.count) more" : ""
    let details = expires.map { " (\($0)\(owner.map { ", \($0.excerpt.markdownText)" } ?? ""))" } ?? ""
    return "| \(names.markdownCode) | \(finding)\(isExpired ? details : "") | \(shown.joined(separator: ", "))\(more) |"
  }
}

extension String {
  fileprivate var markdownCode: String {
    "`" + replacing("`", with: "'").replacing("|", with: "\\|").replacing("\n", with: " ") + "`"
  }

  fileprivate var markdownText: String {
    String(flatMap { "\\`*_{}[]<>|#!~@&".contains($0) ? ["\\", $0] : $0.isNewline ? [" "] : [$0] })
  }
}
