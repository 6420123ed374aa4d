import FlagDomain
import Foundation

/// A suite of user defaults as a table of values.
struct DefaultsSuite: Sendable {
  let name: String

  /// Returns what the suite holds under names that can be keys.
  func values() throws(FlagError) -> [FlagKey: FlagValue] {
    var values: [FlagKey: FlagValue] = [:]
    for (name, object) in try defaults().persistentDomain(forName: name) ?? [:] {
      if let key = FlagKey(name) { values[key] = FlagValue(propertyList: object) }
    }
    return values
  }

  /// Sets and removes values, all of them or none.
  func write(_ values: [FlagKey: FlagValue?]) throws(FlagError) {
    let defaults = try defaults()
    let objects = try values.map { key, value throws(FlagError) in (key, try value?.propertyList(of: key)) }
    let former = objects.map { key, _ in (key, defaults.object(forKey: key.name)) }
    Self.set(objects, in: defaults)
    guard defaults.synchronize() else {
      Self.set(former, in: defaults)
      throw FlagError(.general, "expected the defaults of \(name) to be stored")
    }
  }

  private static func set(_ objects: [(FlagKey, Any?)], in defaults: UserDefaults) {
    for (key, object) in objects {
      if let object { defaults.set(object, forKey: key.name) } else { defaults.removeObject(forKey: key.name) }
    }
  }

  /// Opens the suite; done anew each time, because the class is not sendable everywhere.
  private func defaults() throws(FlagError) -> UserDefaults {
    guard let defaults = UserDefaults(suiteName: name) else {
      throw FlagError(.general, "expected the name of a suite of user defaults, found \"\(name)\"")
    }
    return defaults
  }
}

extension FlagValue {
  /// Creates the value of an object from a property list: data is base64, a date is ISO 8601.
  init(propertyList object: Any) {
    switch object {
    case let data as Data: self = data.flagValue
    case let date as Date: self.init(date)
    case let fields as [String: Any]: self = .object(fields.mapValues(FlagValue.init(propertyList:)))
    case let elements as [Any]: self = .array(elements.map(FlagValue.init(propertyList:)))
    default: self.init(parsed: object)
    }
  }

  /// A date that ISO 8601 cannot write stays a text that no flag reads as a date, and so is reported.
  private init(_ date: Date) {
    let seconds = date.timeIntervalSinceReferenceDate
    self = .string(Timestamp(secondsSinceReference: seconds)?.text ?? "\(seconds) s from 2001-01-01")
  }

  /// Returns the value as an object of a property list.
  fileprivate func propertyList(of key: FlagKey) throws(FlagError) -> Any {
    switch self {
    case .bool(let value): return value
    case .double(let value): return value
    case .string(let value): return value
    case .array(let elements):
      return try elements.map { element throws(FlagError) in try element.propertyList(of: key) }
    case .object(let fields):
      return try [String: Any](
        uniqueKeysWithValues: fields.map { name, field throws(FlagError) in (name, try field.propertyList(of: key)) })
    case .int(let value):
      if let value = Int64(exactly: value) { return value }
      if let value = UInt64(exactly: value) { return value }
      fallthrough
    case .null: throw FlagError(.typeMismatch, "expected a value that a default can hold, found \(self)", key: key)
    }
  }
}
