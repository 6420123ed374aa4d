import FlagHTTP

/// A form as a browser sent it.
struct ConsoleForm {
  let fields: [RequestTarget.QueryItem]
  private let values: [String: String]

  init(_ body: [UInt8]) {
    fields = RequestTarget("/?\(String(decoding: body, as: UTF8.self))")?.query ?? []
    values = Dictionary(fields.map { ($0.name, $0.value) }) { first, _ in first }
  }

  subscript(name: String) -> String? { values[name] }

  /// The text from a flag's editor; nil for none.
  var entered: String? { self["none"] == nil ? self["value"] ?? "" : nil }
}
