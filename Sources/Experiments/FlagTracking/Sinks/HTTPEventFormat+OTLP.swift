public import FlagDomain
import FlagEvents
import FlagJSON

extension HTTPEventFormat {
  /// Returns log records of the OpenTelemetry protocol (OTLP/HTTP 1.x) in JSON, for `/v1/logs` of a collector.
  ///
  /// Exposures are events with the name `feature_flag.evaluation` and the attributes of the semantic conventions 1.44.
  /// Conversions and losses, which the conventions do not cover, are `feature_flag.conversion` and `feature_flag.loss`.
  /// As the protocol requires, a batch is retried only after 429, 502, 503, 504 and a lost connection.
  ///
  /// - Parameters:
  ///   - service: The name of the service that the events come from, its `service.name`.
  ///   - resource: Further attributes of the resource.
  /// - Returns: The format.
  public static func otlp(service: String, resource: [String: FlagValue] = [:]) -> HTTPEventFormat {
    let resource = resource.merging(["service.name": .string(service)]) { _, name in name }
    return HTTPEventFormat(
      "application/json", retries: { [502, 503, 504].contains($0) }, rejected: OTLP.rejected
    ) { batch throws(FlagError) in
      let records = batch.events.map(OTLP.record)
      return try FlagValue.object([
        "resourceLogs": [
          [
            "resource": ["attributes": OTLP.attributes(resource)],
            "scopeLogs": [["scope": ["name": "swift-feature-flags"], "logRecords": .array(records)]],
          ]
        ]
      ]).json()
    }
  }
}

/// The JSON form of OTLP: names in lower camel case, 64-bit integers as text, enumerations as numbers.
private enum OTLP {
  /// The severity with the name `SEVERITY_NUMBER_INFO`.
  private static let information: FlagValue = 9

  static func record(_ event: TrackedEvent) -> FlagValue {
    let (name, attributes) = event.otlpAttributes
    // In nanoseconds; a time beyond their range is clamped to the last one in it.
    let nanoseconds = UInt64(clamping: event.time.microseconds).multipliedReportingOverflow(by: 1000)
    let time = FlagValue.string("\(nanoseconds.overflow ? .max : nanoseconds.partialValue)")
    return [
      "timeUnixNano": time, "observedTimeUnixNano": time, "severityNumber": information, "eventName": .string(name),
      "attributes": Self.attributes(attributes.merging(["log.record.uid": .string(event.id)]) { $1 }),
    ]
  }

  static func attributes(_ values: [String: FlagValue]) -> FlagValue {
    .array(values.inOrder.map { ["key": .string($0.key), "value": any($0.value)] })
  }

  /// Returns a value as `AnyValue`; one without a member means null.
  private static func any(_ value: FlagValue) -> FlagValue {
    switch value {
    case .null: [:]
    case .bool: ["boolValue": value]
    case .int(let number):
      Int64(exactly: number).map { ["intValue": .string("\($0)")] } ?? ["doubleValue": .double(Double(number))]
    case .double: ["doubleValue": value]
    case .string: ["stringValue": value]
    case .array(let elements): ["arrayValue": ["values": .array(elements.map(any))]]
    case .object(let members): ["kvlistValue": ["values": attributes(members)]]
    }
  }

  /// Returns the number of records that a partial success rejects; 0 for any other response.
  static func rejected(_ body: [UInt8]) -> Int {
    do throws(JSONError) {
      guard case .object(let answer) = try FlagValue(json: body),
        case .object(let success)? = answer["partialSuccess"]
      else { return 0 }
      switch success["rejectedLogRecords"] {
      case .string(let text)?: return Int(text) ?? 0
      case .int(let number)?: return Int(clamping: number)
      default: return 0
      }
    } catch {
      return 0
    }
  }
}

extension TrackedEvent {
  /// The name of the event, and its attributes.
  fileprivate var otlpAttributes: (name: String, attributes: [String: FlagValue]) {
    switch content {
    case .exposure(let exposure): ("feature_flag.evaluation", exposure.otlpAttributes)
    case .conversion(let conversion): ("feature_flag.conversion", conversion.otlpAttributes)
    case .loss(let loss): ("feature_flag.loss", loss.otlpAttributes)
    }
  }
}

// An optional value is assigned, and never written as a nil of its own, which is also a value: null.

extension TrackedExposure {
  fileprivate var otlpAttributes: [String: FlagValue] {
    var members: [String: FlagValue] = [
      "feature_flag.key": .string(flag),
      "feature_flag.context.id": .string(unit),
      "feature_flag.result.reason": .string(reason.rawValue.lowercased()),
    ]
    if let variant {
      members["feature_flag.result.variant"] = .string(variant)
    } else {
      members["feature_flag.result.value"] = value ?? .null
    }
    members["feature_flag.set.id"] = set.map(FlagValue.string)
    members["feature_flag.version"] = version.map(FlagValue.string)
    members["feature_flag.provider.name"] = provider.map(FlagValue.string)
    if let error = error ?? (reason == .error ? FlagError.Code.general : nil) {
      members["error.type"] = .string(error.rawValue.lowercased())
    }
    // Attributes of our own, since the conventions define none.
    if unitAttribute != EvaluationContext.targetingKeyName {
      members["feature_flag.context.unit_attribute"] = .string(unitAttribute)
    }
    if !units.isEmpty { members["feature_flag.context.units"] = .object(units.mapValues(FlagValue.string)) }
    if rate != 1 { members["feature_flag.sampling.rate"] = .double(rate) }
    if !attributes.isEmpty { members["feature_flag.context.attributes"] = .object(attributes) }
    return members
  }
}

extension Conversion {
  fileprivate var otlpAttributes: [String: FlagValue] {
    var members: [String: FlagValue] = ["feature_flag.conversion.name": .string(name)]
    members["feature_flag.context.id"] = unit.map(FlagValue.string)
    let others = units.filter { $0.key != EvaluationContext.targetingKeyName }
    if !others.isEmpty { members["feature_flag.context.units"] = .object(others.mapValues(FlagValue.string)) }
    members["feature_flag.conversion.value"] = value.map(FlagValue.double)
    if !attributes.isEmpty { members["feature_flag.conversion.attributes"] = .object(attributes) }
    return members
  }
}

extension TrackedLoss {
  fileprivate var otlpAttributes: [String: FlagValue] {
    var members: [String: FlagValue] = ["feature_flag.loss.count": .int(Int128(count))]
    members["feature_flag.loss.of"] = total.map { .int(Int128($0)) }
    members["feature_flag.loss.kept"] = kept.map(FlagValue.double)
    members["feature_flag.context.id"] = unit.map(FlagValue.string)
    return members
  }
}
