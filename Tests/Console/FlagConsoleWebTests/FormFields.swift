extension String {
  /// The fields of a page's main form, as a browser without scripts sends them if nothing is edited.
  var fields: [String: String] {
    guard let start = firstRange(of: "<main")?.lowerBound,
      let form = self[start...].matches(of: /<form method="post"[^>]*>/)
        .first(where: { !$0.0.contains("data-in-place") })
    else { return [:] }
    let end = self[form.range.upperBound...].firstRange(of: "</form>")?.lowerBound ?? endIndex
    let text = String(self[form.range.lowerBound..<end])
    var fields: [String: String] = [:]
    for match in text.matches(of: /<(input|select|textarea)\b([^>]*)>/) {
      let attributes = String(match.2).attributes
      guard let name = attributes["name"], fields[name] == nil else { continue }
      switch match.1 {
      case "input":
        let isChoice = ["radio", "checkbox"].contains(attributes["type"] ?? "")
        if !isChoice || attributes["checked"] != nil { fields[name] = attributes["value"] ?? "" }
      case "select": fields[name] = String(text[match.range.upperBound...]).chosen
      default:
        let content = text[match.range.upperBound...].prefix { $0 != "<" }
        fields[name] = String(content.first?.isNewline == true ? content.dropFirst() : content).unescaped
      }
    }
    return fields
  }

  /// The value of the chosen option in the text after a select's tag.
  private var chosen: String {
    let options = String(self[..<(firstRange(of: "</select>")?.lowerBound ?? endIndex)])
    let all = options.matches(of: /<option([^>]*)>([^<]*)/).map { match in
      (String(match.1).attributes, String(match.2).unescaped)
    }
    guard let (attributes, text) = all.first(where: { $0.0["selected"] != nil }) ?? all.first else { return "" }
    return attributes["value"] ?? text
  }

  /// The attributes of a tag; those without a value have an empty one.
  private var attributes: [String: String] {
    var attributes: [String: String] = [:]
    for match in matches(of: /([a-z-]+)(?:="([^"]*)")?/) {
      attributes[String(match.1)] = match.2.map { String($0).unescaped } ?? ""
    }
    return attributes
  }

  private var unescaped: String {
    replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
      .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
  }
}
