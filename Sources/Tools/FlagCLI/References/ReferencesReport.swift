import FlagDefinitions
import FlagDomain

/// The report of `references`, for people, programs and pull requests.
struct ReferencesReport {
  let sources: [String]
  let references: FlagReferences

  private var flags: [FlagReferences.Flag] { references.flags }
  private var unread: [FlagReferences.Flag] { flags.filter(\.isUnread) }
  private var expired: [FlagReferences.Flag] { flags.filter(\.isExpiredAndRead) }

  var hasFindings: Bool { !unread.isEmpty || !expired.isEmpty }
}

// MARK: - Text

extension ReferencesReport {
  var text: String {
    var lines = flags.flatMap(\.lines)
    lines.append(summaryLine)
    lines += references.notes.map { "Note: \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }

  private var summaryLine: String {
    let all = flags.count == 1 ? "1 flag" : "\(flags.count) flags"
    return "\(all): \(unread.count) that nothing reads, \(expired.count) that expired and are still read."
  }
}

extension FlagReferences.Flag {
  fileprivate var lines: [String] {
    var lines = ["\(names): \(outcome)\(expiry)"]
    lines.append("  " + (declaration.map { "declared: \($0)" } ?? "no declaration found"))
    lines += reads.map { "  \($0)" }
    return lines
  }

  fileprivate var names: String {
    let names = keys.map(\.excerpt)
    return names.isEmpty ? (title ?? "") : names.joined(separator: ", ")
  }

  fileprivate var outcome: String {
    func places(_ count: Int) -> String { count == 1 ? "1 place" : "\(count) places" }
    let certain = reads.count(where: \.isCertain)
    if reads.isEmpty { return "nothing reads it" }
    if certain == 0 { return "may be read in \(places(reads.count))" }
    return "read in \(places(certain))" + (certain < reads.count ? ", and maybe \(reads.count - certain) more" : "")
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
    FlagValue([
      "version": 1, "source": sources[0], "sources": sources, "flags": flags.map(\.json), "notes": references.notes,
    ])
  }
}

extension FlagReferences.Flag {
  fileprivate var json: FlagValue {
    FlagValue([
      "keys": keys, "name": title, "declaration": declaration.map { FlagValue($0.members) },
      "reads": reads.map { FlagValue($0.place.members.merging(["isCertain": $0.isCertain]) { $1 }) },
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
      lines += expired.map { flag in
        let words = flag.reads.contains(where: \.isCertain) ? "still read" : "may still be read"
        return flag.row("expired, \(words)", flag.reads.map(\.place))
      }
      lines.append("")
    }
    lines += references.notes.map { "> \($0)\n" }
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
