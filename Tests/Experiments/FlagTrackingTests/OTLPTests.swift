import FlagDomain
import FlagEvents
import Foundation
import TestSupport
import Testing

@testable import FlagTracking

@Suite("OTLP", .timeLimit(.minutes(15)))
struct OTLPTests {
  @Test("OpenTelemetry's own definitions read every field", .needs(.openTelemetry))
  func isUnderstood() async throws {
    let body = try format.body(of: EventBatch(id: "batch", events: Self.events))
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "OTLP/decode.py").path
    let (output, errors, status) = try await onThread {
      try ChildProcess.run(
        VirtualEnvironment.openTelemetry.python, [script], input: String(decoding: body, as: UTF8.self))
    }
    #expect(errors.isEmpty && status == 0)
    #expect(output == Self.decoded)
  }

  @Test("Whole numbers of 64 bits are text, and enumerations numbers")
  func writesNumbers() throws {
    let body = String(decoding: try format.body(of: EventBatch(id: "batch", events: [Self.events[0]])), as: UTF8.self)
    #expect(body.contains(#""timeUnixNano":"1795328365123000000""#))
    #expect(body.contains(#""severityNumber":9"#))
    #expect(body.contains(#"{"key":"age","value":{"intValue":"42"}}"#))
  }

  @Test(
    "What a partial success leaves out is counted",
    arguments: [
      (#"{"partialSuccess":{"rejectedLogRecords":"3","errorMessage":"ann"}}"#, 3),
      (#"{"partialSuccess":{"rejectedLogRecords":2}}"#, 2), (#"{"partialSuccess":{}}"#, 0), ("{}", 0), ("", 0),
      ("<html>", 0), (#"{"partialSuccess":{"rejectedLogRecords":"many"}}"#, 0), (#"{"partialSuccess":7}"#, 0),
    ])
  func countsRejected(body: String, count: Int) { #expect(format.rejected(Array(body.utf8)) == count) }

  private var format: HTTPEventFormat { .otlp(service: "shop", resource: ["service.version": "1.2", "build": 7]) }

  private static var events: [TrackedEvent] {
    var failed = TrackedExposure(.of("ben", variant: nil, value: [.null, true, 1.5, "x"]), attributes: [], rate: 1)
    failed.reason = .error
    failed.error = .typeMismatch
    failed.set = "app"
    (failed.provider, failed.version) = (nil, nil)
    return [
      TrackedEvent(
        id: "e1", time: EventTime(milliseconds: 1_795_328_365_123),
        content: .exposure(
          TrackedExposure(
            .of("ann", attributes: ["age": 42, "plan": ["name": "free"]]), attributes: ["age", "plan"], rate: 0.5))),
      TrackedEvent(id: "e2", time: EventTime(milliseconds: 1), content: .exposure(failed)),
      TrackedEvent(
        id: "e3", time: EventTime(milliseconds: 2),
        content: .conversion(Conversion(name: "buy", unit: "ann", value: 12.5, attributes: ["currency": "EUR"]))),
      TrackedEvent(id: "e4", time: EventTime(milliseconds: 3), content: .loss(TrackedLoss(count: 17))),
    ]
  }

  private static let decoded = """
    resource_logs
      resource
        build = int 7
        service.name = string shop
        service.version = string 1.2
      scope_logs
        scope
          name = swift-feature-flags
        log_records
          time_unix_nano = 1795328365123000000
          severity_number = 9
          feature_flag.context.attributes = {age: int 42, plan: {name: string free}}
          feature_flag.context.id = string ann
          feature_flag.key = string button
          feature_flag.provider.name = string house
          feature_flag.result.reason = string split
          feature_flag.result.variant = string a
          feature_flag.sampling.rate = double 0.5
          feature_flag.version = string 7
          log.record.uid = string e1
          observed_time_unix_nano = 1795328365123000000
          event_name = feature_flag.evaluation
        log_records
          time_unix_nano = 1000000
          severity_number = 9
          error.type = string type_mismatch
          feature_flag.context.id = string ben
          feature_flag.key = string button
          feature_flag.result.reason = string error
          feature_flag.result.value = [none, bool True, double 1.5, string x]
          feature_flag.set.id = string app
          log.record.uid = string e2
          observed_time_unix_nano = 1000000
          event_name = feature_flag.evaluation
        log_records
          time_unix_nano = 2000000
          severity_number = 9
          feature_flag.context.id = string ann
          feature_flag.conversion.attributes = {currency: string EUR}
          feature_flag.conversion.name = string buy
          feature_flag.conversion.value = double 12.5
          log.record.uid = string e3
          observed_time_unix_nano = 2000000
          event_name = feature_flag.conversion
        log_records
          time_unix_nano = 3000000
          severity_number = 9
          feature_flag.loss.count = int 17
          log.record.uid = string e4
          observed_time_unix_nano = 3000000
          event_name = feature_flag.loss

    """
}
