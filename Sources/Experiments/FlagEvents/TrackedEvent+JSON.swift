package import FlagDomain
import FlagJSON

extension TrackedEvent {
  /// Returns the event as one line of JSON, without a line feed, with the members that `Docs/Experiments.md` lists.
  ///
  /// - Throws: An error if a value cannot be encoded as JSON: an infinite number, or a structure that is nested too
  ///   deeply.
  package func line() throws(FlagError) -> [UInt8] {
    var members: [String: FlagValue] = [
      "schema": .int(EventReader.schema), "kind": .string(content.kind), "id": .string(id), "time": .string("\(time)"),
    ]
    switch content {
    case .exposure(let exposure): exposure.add(to: &members)
    case .conversion(let conversion):
      members["name"] = .string(conversion.name)
      members["unit"] = conversion.unit.map(FlagValue.string)
      members.setUnits(conversion.units.filter { $0.key != EvaluationContext.targetingKeyName })
      members["value"] = conversion.value.map(FlagValue.double)
      if !conversion.attributes.isEmpty { members["attributes"] = .object(conversion.attributes) }
    case .loss(let loss):
      members["count"] = .int(Int128(loss.count))
      members["of"] = loss.total.map { .int(Int128($0)) }
      members["kept"] = loss.kept.map(FlagValue.double)
      members["unit"] = loss.unit.map(FlagValue.string)
    }
    return try FlagValue.object(members).json()
  }
}

extension [String: FlagValue] {
  fileprivate mutating func setUnits(_ units: [String: String]) {
    if !units.isEmpty { self["units"] = .object(units.mapValues(FlagValue.string)) }
  }
}

extension TrackedExposure {
  fileprivate func add(to members: inout [String: FlagValue]) {
    members["flag"] = .string(flag)
    members["unit"] = .string(unit)
    if unitAttribute != EvaluationContext.targetingKeyName { members["unitAttribute"] = .string(unitAttribute) }
    members.setUnits(units)
    if let variant { members["variant"] = .string(variant) } else { members["value"] = value ?? .null }
    members["reason"] = .string(reason.rawValue)
    members["version"] = version.map(FlagValue.string)
    members["set"] = set.map(FlagValue.string)
    members["provider"] = provider.map(FlagValue.string)
    members["error"] = error.map { .string($0.rawValue) }
    if rate != 1 { members["rate"] = .double(rate) }
    if !attributes.isEmpty { members["attributes"] = .object(attributes) }
  }
}
