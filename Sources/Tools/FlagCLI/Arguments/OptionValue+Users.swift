import FlagConsole
import FlagDomain

extension OptionValue<[String: FlagValue]> {
  /// The attributes of a user as rules read them: `id=ana,country=es,segments=beta,plan=pro`, or a JSON object.
  ///
  /// A whole number, true and false are such, and anything else is text.
  static func attributes(_ name: String = "USER") -> Self {
    Self(.text(name)) { (option, text) throws(UsageError) in
      if text.hasPrefix("{") {
        return try mapError(try ConsoleModel.attributes(text)) { (error: FlagError) in
          UsageError("\(option) is an object of attributes, \(error.message)")
        }
      }
      var attributes: [String: FlagValue] = [:]
      for word in text.split(separator: ",", omittingEmptySubsequences: false) {
        guard let pair = Pair(String(word)) else {
          throw UsageError("\(option) is attributes such as id=ana,country=es, or a JSON object, found \(text.excerpt)")
        }
        switch pair.first {
        case "id", "targetingKey": attributes["targetingKey"] = .string(pair.second)
        case "country", "countryCode": attributes["countryCode"] = .string(pair.second)
        case "segment", "segments":
          attributes["segments"] = .array((attributes["segments"]?.elements ?? []) + [.string(pair.second)])
        default: attributes[pair.first] = FlagValue(typed: pair.second)
        }
      }
      return attributes
    }
  }
}

extension FlagValue {
  fileprivate init(typed text: String) {
    let number = Int128(text).flatMap { "\($0)" == text ? FlagValue.int($0) : nil }
    self = number ?? (["true", "false"].contains(text) ? .bool(text == "true") : .string(text))
  }
}

extension OptionValue<FlagUser> {
  static var user: Self {
    let value = OptionValue<[String: FlagValue]>.attributes()
    return Self(value.placeholder) { (option, text) throws(UsageError) in
      var attributes = try value.read(option, text)
      guard let id = attributes.removeValue(forKey: "targetingKey")?.text else {
        throw UsageError("\(option) has the user's id, as id=ana or as \"targetingKey\", found \(text.excerpt)")
      }
      let (country, segments) = (
        attributes.removeValue(forKey: "countryCode"), attributes.removeValue(forKey: "segments")
      )
      let names = segments?.elements.map { $0.compactMap(\.text) } ?? []
      guard country == nil || country?.text != nil, segments == nil || names.count == segments?.elements?.count else {
        throw UsageError("\(option) has a text as \"countryCode\" and texts as \"segments\", found \(text.excerpt)")
      }
      return FlagUser(id: id, countryCode: country?.text, segments: names, attributes: attributes)
    }
  }
}
