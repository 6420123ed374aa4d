import FlagDomain
import FlagJSON

extension TrackedEvent {
  /// The number of the form that events are written in.
  static let schema = 1

  /// The event as a value: the members that `Docs/Experiments.md` lists.
  var value: FlagValue {
    var members: [String: FlagValue] = [
      "schema": .int(Int128(Self.schema)), "id": .string(id), "time": .string("\(Timestamp(milliseconds: time))"),
    ]
    switch content {
    case .exposure(let exposure):
      members["kind"] = "exposure"
      exposure.add(to: &members)
    case .conversion(let conversion):
      members["kind"] = "conversion"
      members["name"] = .string(conversion.name)
      members["unit"] = .string(conversion.unit)
      members["value"] = conversion.value.map(FlagValue.double)
      if !conversion.attributes.isEmpty { members["attributes"] = .object(conversion.attributes) }
    case .loss(let count):
      members["kind"] = "loss"
      members["count"] = .int(Int128(count))
    }
    return .object(members)
  }

  /// Returns the event as one line of JSON, without a line feed.
  ///
  /// - Throws: Where a value cannot be written as JSON: an infinite number, or too deep a structure.
  func line() throws(FlagError) -> [UInt8] { try value.json() }

  /// Reads an event from a line.
  ///
  /// - Throws: What was expected, and what was found.
  init(line: [UInt8]) throws(FlagError) {
    let fields = EventFields(try FlagValue.reading(json: line).members ?? [:])
    guard fields["schema"] == .int(Int128(Self.schema)) else {
      throw FlagError(.parseError, "expected an event with \"schema\": \(Self.schema)")
    }
    id = try fields.text("id")
    time = try Timestamp.milliseconds(of: fields.text("time"))
    switch try fields.text("kind") {
    case "exposure": content = .exposure(try TrackedExposure(fields))
    case "conversion":
      content = .conversion(
        Conversion(
          name: try fields.text("name"), unit: try fields.text("unit"), value: fields.number("value"),
          attributes: fields.object("attributes")))
    case "loss":
      guard case .int(let count)? = fields["count"], let count = Int(exactly: count) else {
        throw FlagError(.parseError, "expected \"count\", a whole number")
      }
      content = .loss(count: count)
    case let kind: throw FlagError(.parseError, "expected an exposure, a conversion or a loss, found \"\(kind)\"")
    }
  }
}

extension TrackedExposure {
  fileprivate func add(to members: inout [String: FlagValue]) {
    members["flag"] = .string(flag)
    members["unit"] = .string(unit)
    if let variant { members["variant"] = .string(variant) } else { members["value"] = value ?? .null }
    members["reason"] = .string(reason.rawValue)
    members["version"] = version.map(FlagValue.string)
    members["set"] = set.map(FlagValue.string)
    members["provider"] = provider.map(FlagValue.string)
    members["error"] = error.map { .string($0.rawValue) }
    if rate != 1 { members["rate"] = .double(rate) }
    if !attributes.isEmpty { members["attributes"] = .object(attributes) }
  }

  fileprivate init(_ fields: EventFields) throws(FlagError) {
    flag = try fields.text("flag")
    unit = try fields.text("unit")
    reason = ResolutionReason(rawValue: try fields.text("reason"))
    variant = fields.optionalText("variant")
    if variant == nil { value = fields["value"] }
    version = fields.optionalText("version")
    set = fields.optionalText("set")
    provider = fields.optionalText("provider")
    error = fields.optionalText("error").map { FlagError.Code(rawValue: $0) }
    rate = fields.number("rate") ?? 1
    attributes = fields.object("attributes")
  }
}

extension FlagValue {
  /// The members of an object; nil for any other value.
  var members: [String: FlagValue]? {
    if case .object(let members) = self { members } else { nil }
  }
}

/// The members of an event that is read.
private struct EventFields {
  private let members: [String: FlagValue]

  init(_ members: [String: FlagValue]) { self.members = members }

  subscript(name: String) -> FlagValue? { members[name] }

  func text(_ name: String) throws(FlagError) -> String {
    guard let text = optionalText(name) else { throw FlagError(.parseError, "expected \"\(name)\", a string") }
    return text
  }

  func optionalText(_ name: String) -> String? {
    if case .string(let text)? = members[name] { text } else { nil }
  }

  func number(_ name: String) -> Double? {
    switch members[name] {
    case .double(let number)?: number
    case .int(let number)?: Double(number)
    default: nil
    }
  }

  func object(_ name: String) -> [String: FlagValue] { members[name]?.members ?? [:] }
}
