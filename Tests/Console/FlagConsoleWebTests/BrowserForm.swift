import FlagHTTP

@testable import FlagConsoleWeb

/// The fields of a page as a browser without a script sends them.
struct BrowserForm {
  var fields: [String: String] = [:]
  /// The values of the buttons that change the structure.
  var buttons: [String] = []

  init(_ html: String) {
    var select: (name: String, isChosen: Bool)?
    for tag in html.split(separator: "<").dropFirst().map(Tag.init) {
      switch tag.name {
      case "input": read(tag)
      case "textarea":
        fields[tag["name"] ?? ""] = (tag.text.first == "\n" ? String(tag.text.dropFirst()) : tag.text).withReturns
      case "select":
        select = (tag["name"] ?? "", false)
        fields[tag["name"] ?? ""] = nil
      case "option":
        guard let name = select?.name, select?.isChosen == false else { continue }
        if tag["selected"] != nil || fields[name] == nil { fields[name] = tag["value"] }
        if tag["selected"] != nil { select?.isChosen = true }
      case "/select": select = nil
      case "button" where tag["name"] == "do": buttons.append(tag["value"] ?? "")
      default: break
      }
    }
  }

  /// The editor's form in a page.
  init(editor page: String) {
    let start = page.firstRange(of: "id=\"editor\"")?.upperBound ?? page.endIndex
    let form = page[start...]
    self.init(String(form[..<(form.firstRange(of: "</form>")?.lowerBound ?? form.endIndex)]))
  }

  private mutating func read(_ tag: Tag) {
    guard let name = tag["name"] else { return }
    if tag["type"] == "radio", tag["checked"] == nil { return }
    let value = tag["value"] ?? ""
    fields[name] =
      tag["type"] == "hidden" ? value.withReturns : String(value.unicodeScalars.filter { !["\n", "\r"].contains($0) })
  }

  var console: ConsoleForm {
    let body = fields.map { "\(PercentEncoding.encode($0))=\(PercentEncoding.encode($1))" }.joined(separator: "&")
    return ConsoleForm(Array(body.utf8))
  }
}

/// A tag, its attributes, and the text after it.
private struct Tag {
  let name: String
  let text: String
  private var attributes: [String: String] = [:]

  init(_ source: Substring) {
    let parts = source.split(separator: ">", maxSplits: 1, omittingEmptySubsequences: false)
    name = String(parts[0].prefix { $0 != " " })
    text = parts.count > 1 ? String(parts[1]).unescaped : ""
    var rest = parts[0].dropFirst(name.count)
    while let start = rest.firstIndex(where: { $0 != " " }) {
      let attribute = rest[start...].prefix { $0 != "=" && $0 != " " }
      rest = rest[attribute.endIndex...]
      guard rest.hasPrefix("=\"") else {
        attributes[String(attribute)] = ""
        continue
      }
      let value = rest.dropFirst(2).prefix { $0 != "\"" }
      attributes[String(attribute)] = String(value).unescaped
      rest = rest[value.endIndex...].dropFirst()
    }
  }

  subscript(name: String) -> String? { attributes[name] }
}

extension String {
  fileprivate var unescaped: String {
    guard contains("&") else { return self }
    return [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
      .reduce(self) { $0.replacing($1.0, with: $1.1) }
  }

  /// The text with the line ends that browsers send.
  fileprivate var withReturns: String {
    let lines = split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
    return lines.joined(separator: "\r\n")
  }
}
