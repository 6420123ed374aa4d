/// The type of a message's content, with subtype and parameters (RFC 9110, 8.3).
package struct MediaType: Hashable, Sendable {
  /// The type and the subtype, in lower case.
  package let essence: String
  /// The values of the parameters by their names in lower case; the first of each name counts.
  package let parameters: [String: String]

  /// Parses the value of a field; nil if it is not a media type.
  package init?(_ text: String) {
    let parts = Self.parts(of: text)
    let names = parts[0].split(separator: "/", omittingEmptySubsequences: false).map(\.trimmingHTTPSpace)
    guard names.count == 2, names.allSatisfy(\.isHTTPToken) else { return nil }
    var parameters: [String: String] = [:]
    for part in parts.dropFirst() where !part.trimmingHTTPSpace.isEmpty {
      guard let equals = part.firstIndex(of: "=") else { return nil }
      let name = part[..<equals].trimmingHTTPSpace
      guard name.isHTTPToken, let value = Self.value(part[part.index(after: equals)...].trimmingHTTPSpace)
      else { return nil }
      let key = name.lowercased()
      parameters[key] = parameters[key] ?? value
    }
    essence = names.joined(separator: "/").lowercased()
    self.parameters = parameters
  }

  /// Splits a text at the semicolons outside quoted strings.
  private static func parts(of text: String) -> [Substring] {
    var parts: [Substring] = []
    var start = text.startIndex
    var isQuoted = false
    var isEscaped = false
    for index in text.indices {
      let character = text[index]
      if isEscaped {
        isEscaped = false
      } else if character == "\\" {
        isEscaped = isQuoted
      } else if character == "\"" {
        isQuoted.toggle()
      } else if character == ";", !isQuoted {
        parts.append(text[start..<index])
        start = text.index(after: index)
      }
    }
    return parts + [text[start...]]
  }

  /// Returns a token as it is, or a quoted string unquoted.
  private static func value(_ text: Substring) -> String? {
    guard text.first == "\"" else { return text.isHTTPToken ? String(text) : nil }
    var value = ""
    var isEscaped = false
    var rest = text.dropFirst()
    while let character = rest.popFirst() {
      if isEscaped {
        value.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        return rest.isEmpty ? value : nil
      } else {
        value.append(character)
      }
    }
    return nil
  }
}
