/// The names and values of a query, as forms encode them.
struct QueryItems {
  private(set) var items: [(name: String, value: String)]

  init(_ query: String) {
    items = query.utf8.split(separator: UInt8(ascii: "&")).map { pair in
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return (Self.decoded(parts[0]), parts.count > 1 ? Self.decoded(parts[1]) : "")
    }
  }

  /// Returns the first value of a name, or nil.
  subscript(name: String) -> String? { items.first { $0.name == name }?.value }

  /// Adds the items of another query whose names this one does not have.
  ///
  /// - Returns: Whether there were any.
  mutating func add(_ other: QueryItems) -> Bool {
    var isChanged = false
    let names = Set(items.map(\.name))
    for item in other.items where !names.contains(item.name) {
      // Of several items with one name, the last one counts.
      if let index = items.firstIndex(where: { $0.name == item.name }) {
        items[index].value = item.value
      } else {
        items.append(item)
      }
      isChanged = true
    }
    return isChanged
  }

  /// The query, encoded.
  var query: String { items.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }.joined(separator: "&") }
}

extension QueryItems {
  private static func decoded(_ text: Substring.UTF8View) -> String {
    var bytes: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "+") {
        bytes.append(UInt8(ascii: " "))
      } else if byte == UInt8(ascii: "%"), let code = UInt8(hex: rest.prefix(2)) {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func encoded(_ text: String) -> String {
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: encoded.append(byte)
      case _ where "*-._".utf8.contains(byte): encoded.append(byte)
      case UInt8(ascii: " "): encoded.append(UInt8(ascii: "+"))
      default:
        let hex = String(byte, radix: 16, uppercase: true)
        encoded += "%\(hex.count < 2 ? "0" : "")\(hex)".utf8
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}

extension UInt8 {
  /// Creates a byte from two hexadecimal digits.
  fileprivate init?(hex digits: Substring.UTF8View) {
    guard digits.count == 2, !digits.contains(where: { "+-".utf8.contains($0) }),
      let byte = UInt8(String(Substring(digits)), radix: 16)
    else { return nil }
    self = byte
  }
}
