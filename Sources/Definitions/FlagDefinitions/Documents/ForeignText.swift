package import FlagJSON

/// A form of text that is no JSON, and that tools convert.
private enum ForeignText {
  case unicode(String), gzip, markup, toml, yaml

  /// Recognizes a form by the beginning of a text; nil for any other one.
  init?(beginning text: some Collection<UInt8>) {
    var start = Array(text.prefix(4_096))
    if start.starts(with: [0xEF, 0xBB, 0xBF]) { start.removeFirst(3) }
    let zeros = start.prefix(4).map { $0 == 0 }
    if start.starts(with: [0xFF, 0xFE, 0, 0]) || zeros == [false, true, true, true] {
      self = .unicode("32LE")
    } else if start.starts(with: [0, 0]) {
      self = .unicode("32BE")
    } else if start.starts(with: [0xFF, 0xFE]) || zeros.prefix(2) == [false, true] {
      self = .unicode("16LE")
    } else if start.starts(with: [0xFE, 0xFF]) || zeros.prefix(2) == [true, false] {
      self = .unicode("16BE")
    } else if start.starts(with: [0x1F, 0x8B]) {
      self = .gzip
    } else {
      self.init(line: String(decoding: start, as: UTF8.self))
    }
  }

  /// Recognizes a form by the first line that says something.
  private init?(line text: String) {
    let lines = text.split(whereSeparator: \.isNewline)
    guard let line = lines.first(where: { !$0.hasPrefix("#") && !$0.hasPrefix("%") && !$0.allSatisfy(\.isWhitespace) })
    else { return nil }
    let said = line.drop(while: \.isWhitespace)
    if said.first == "<", let next = said.dropFirst().first, next.isLetter || "!?".contains(next) {
      self = .markup
    } else if line.isTOML {
      self = .toml
    } else if line.hasPrefix("---") || line.hasPrefix("- ") || line.isYAMLMember {
      self = .yaml
    } else {
      return nil
    }
  }

  var refusal: String {
    switch self {
    case .unicode(let name):
      "expected JSON in UTF-8, found UTF-\(name.prefix(2)): convert it, such as by iconv -f UTF-\(name) -t UTF-8"
    case .gzip: "expected JSON, found gzip: unpack it, such as by gunzip"
    case .markup: "expected JSON, found what looks like HTML or XML, such as the page of an error or a sign-in"
    case .toml: "expected JSON, found what looks like TOML: convert it, such as by yq -p toml -o json"
    case .yaml: "expected JSON, found what looks like YAML: convert it, such as by yq -o json"
    }
  }
}

extension Substring {
  /// Whether the line begins with a name and a colon, and white space or nothing follows; after a name in quotation
  /// marks, nothing.
  fileprivate var isYAMLMember: Bool {
    guard let colon = firstIndex(of: ":"), colon > startIndex else { return false }
    let (name, rest) = (self[..<colon], self[index(after: colon)...])
    if let mark = name.first, "\"'".contains(mark) { return name.last == mark && rest.allSatisfy(\.isWhitespace) }
    return rest.first?.isWhitespace ?? true && !name.allSatisfy(\.isNumber)
      && name.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "$-._/".utf8.contains(byte)
      }
  }

  /// Whether the line begins with a name in brackets, or with one and an equals sign.
  fileprivate var isTOML: Bool {
    let inner = drop { $0 == "[" }
    let name = inner.prefix { $0.isLetter || $0.isNumber || "-_.\"".contains($0) }
    let next = inner[name.endIndex...].first { !$0.isWhitespace }
    return name.first?.isLetter ?? false && next == (inner.startIndex == startIndex ? "=" : "]")
  }
}

extension UnlocatedDiagnostic {
  /// Creates the diagnostic of a document that cannot be read; a form of text that people take for JSON has its name.
  package init(_ error: JSONError, reading text: some Collection<UInt8>) {
    if error.code == .syntax, let form = ForeignText(beginning: text) {
      self.init(path: .root, message: form.refusal, offset: 0)
    } else {
      self.init(error)
    }
  }
}
