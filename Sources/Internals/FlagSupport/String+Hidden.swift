extension Unicode.Scalar {
  /// Whether a screen shows nothing for it, or it changes how others are shown: control and format characters, such as
  /// a direction override, separators of lines, and fillers.
  package var isHidden: Bool {
    switch value {
    case 0x20..<0x7F: false
    case 0..<0xA0, 0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0: true
    case _ where isVariationSelector: true
    case ..<0x500 where value != 0xAD: false
    default:
      switch properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: true
      default: false
      }
    }
  }

  /// The code point with its name: `U+202E (RIGHT-TO-LEFT OVERRIDE)`.
  package var named: String {
    let digits = String(value, radix: 16, uppercase: true)
    let number = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    return (properties.name ?? properties.nameAlias).map { "\(number) (\($0))" } ?? number
  }

  /// The scalar, or Swift's escape of it, such as `\\u{202E}`, if it is hidden or not ASCII.
  package func escaped(asASCII: Bool) -> String {
    isHidden || asASCII && !isASCII ? "\\u{\(String(value, radix: 16, uppercase: true))}" : String(self)
  }

  /// Whether a joiner behind it is part of how it is written: in emoji, and in Arabic and Indic scripts.
  fileprivate var takesJoiners: Bool {
    (0x600..<0x1B00).contains(value) || value >= 0xA9 && properties.isEmoji || value >= 0x2E80
  }

  /// Whether it joins the scalar before it to the next one, or selects its form.
  fileprivate var isJoiner: Bool { value == 0x200C || value == 0x200D || isVariationSelector }

  private var isVariationSelector: Bool {
    switch value {
    case 0x180B...0x180F, 0xFE00...0xFE0F, 0xE0100...0xE01EF: true
    default: false
    }
  }
}

extension String {
  /// The hidden scalars, with their positions; joiners that are part of how a character is written are not hidden.
  private var hiddenIndices: [Index] {
    var previous: Unicode.Scalar?
    return unicodeScalars.indices.filter { index in
      let scalar = unicodeScalars[index]
      defer { previous = scalar }
      return scalar.isHidden && !(scalar.isJoiner && previous?.takesJoiners == true)
    }
  }

  /// Returns the text with each hidden scalar in another form.
  ///
  /// - Parameters:
  ///   - kept: The scalars that stay.
  ///   - form: The form, by default Swift's escape, such as `\u{202E}`.
  /// - Returns: The text; the same one if nothing in it is hidden.
  package func escapingHidden(
    except kept: Set<Unicode.Scalar> = [], as form: (Unicode.Scalar) -> String = { $0.escaped(asASCII: false) }
  ) -> String {
    guard utf8.contains(where: { $0 < 0x20 && !kept.contains(Unicode.Scalar($0)) || $0 >= 0x7F }) else { return self }
    var (text, start) = ("", startIndex)
    for index in hiddenIndices where !kept.contains(unicodeScalars[index]) {
      text += self[start..<index] + form(unicodeScalars[index])
      start = unicodeScalars.index(after: index)
    }
    return start == startIndex ? self : text + self[start...]
  }
}

/// The scripts with letters that look like those of another.
private enum Script: String {
  case latin = "Latin", greek = "Greek", cyrillic = "Cyrillic", armenian = "Armenian", cherokee = "Cherokee"
  case wide = "full-width", mathematical = "mathematical"

  init?(of scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x41...0x5A, 0x61...0x7A, 0xC0..<0xD7, 0xD8..<0xF7, 0xF8..<0x250, 0x1E00..<0x1F00: self = .latin
    case 0x370..<0x400, 0x1F00..<0x2000: self = .greek
    case 0x400..<0x530, 0x1C80..<0x1C90, 0x2DE0..<0x2E00, 0xA640..<0xA6A0: self = .cyrillic
    case 0x530..<0x590: self = .armenian
    case 0x13A0..<0x1400, 0xAB70..<0xABC0: self = .cherokee
    case 0xFF21...0xFF3A, 0xFF41...0xFF5A: self = .wide
    case 0x1D400..<0x1D800: self = .mathematical
    default: return nil
    }
  }
}

extension String {
  /// The reason why people may take the text for another: a hidden character, or a word with letters of two scripts;
  /// nil if there is none.
  package var disguise: String? {
    guard utf8.contains(where: { $0 >= 0x7F }) else { return nil }
    if let index = hiddenIndices.first(where: { unicodeScalars[$0].value >= 0x7F }) {
      return "\(unicodeScalars[index].named), which nobody sees"
    }
    for word in unicodeScalars.split(whereSeparator: { !$0.properties.isAlphabetic && !$0.isMark }) {
      let letters = word.compactMap { scalar in Script(of: scalar).map { (scalar: scalar, script: $0) } }
      let counts = Dictionary(grouping: letters, by: \.script).mapValues(\.count)
      guard counts.count > 1, let most = counts.values.max() else { continue }
      // Of as many letters of both, those of the Latin script are the usual ones.
      let usual = counts[.latin] == most ? Script.latin : letters.first { counts[$0.script] == most }?.script
      guard let usual, let other = letters.first(where: { $0.script != usual }) else { continue }
      return "\(other.scalar.named) in a word of \(usual.rawValue) letters"
    }
    return nil
  }

  /// The reason why people may take the text for one of ASCII letters: all of its other letters look like them; nil if
  /// there is none.
  package var likeness: String? {
    let others = unicodeScalars.filter { !$0.isASCII }
    guard let first = others.first, others.allSatisfy(\.looksLatin) else { return nil }
    return "\(first.named), and each of its letters looks like an ASCII one"
  }
}

extension Unicode.Scalar {
  /// Whether it looks like an ASCII letter, but for the width and style of the font.
  fileprivate var looksLatin: Bool {
    switch value {
    // Cyrillic: а е о р с у х ѕ і ј һ ӏ ԁ ԛ ԝ and А В Е К М Н О Р С Т Х Ѕ І Ј Һ Ԛ Ԝ Ү.
    case 0x430, 0x435, 0x43E, 0x440, 0x441, 0x443, 0x445, 0x455, 0x456, 0x458, 0x4BB, 0x4CF, 0x501, 0x51B, 0x51D: true
    case 0x410, 0x412, 0x415, 0x41A, 0x41C...0x41E, 0x420...0x422, 0x425, 0x405, 0x406, 0x408, 0x4AE, 0x51A, 0x51C: true
    // Greek: ν ο and Α Β Ε Ζ Η Ι Κ Μ Ν Ο Ρ Τ Υ Χ; Armenian: հ ս օ and Լ Օ.
    case 0x3BD, 0x3BF, 0x391, 0x392, 0x395...0x397, 0x399, 0x39A, 0x39C, 0x39D, 0x39F, 0x3A1, 0x3A4, 0x3A5, 0x3A7: true
    case 0x570, 0x57D, 0x585, 0x53C, 0x555: true
    case 0xFF21...0xFF3A, 0xFF41...0xFF5A, 0x1D400...0x1D6A3: true
    default: false
    }
  }

  fileprivate var isMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }
}
