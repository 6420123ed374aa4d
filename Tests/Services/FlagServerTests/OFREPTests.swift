import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagJSON
import TestSupport
import Testing

@testable import FlagServer

@Suite("OFREP")
struct OFREPTests {
  @Test(
    "One flag is answered with its status and body",
    arguments: [
      (
        "fixed", 200,
        #"{"key":"fixed","value":true,"variant":"on","reason":"STATIC","metadata":{"owner":"growth","weight":1.5}}"#
      ),
      ("disabled", 200, #"{"key":"disabled","variant":"","reason":"DISABLED"}"#),
      ("none", 200, #"{"key":"none","variant":"","reason":"UNKNOWN"}"#),
      ("country", 200, #"{"key":"country","value":"hello","variant":"en","reason":"UNKNOWN"}"#),
      ("float", 200, #"{"key":"float","value":10.0,"variant":"ten","reason":"STATIC"}"#),
      ("exponent", 200, #"{"key":"exponent","value":3.0,"variant":"b","reason":"STATIC"}"#),
      ("int", 200, #"{"key":"int","value":10,"variant":"ten","reason":"STATIC"}"#),
      (
        "object", 200,
        #"{"key":"object","value":{"deep":{"x":null},"list":[1,2.0]},"variant":"o","reason":"STATIC"}"#
      ),
      (
        "gone", 404,
        #"{"errorCode":"FLAG_NOT_FOUND","errorDetails":"no flag is named \"gone\"","key":"gone"}"#
      ),
    ])
  func answersOne(key: String, status: Int, body: String) throws {
    #expect(try FlagServiceFixture().evaluate(key) == (status, body))
  }

  @Test(
    "What cannot be evaluated is 400 with the code that says why",
    arguments: [
      ("wrong", "{}", "PARSE_ERROR"), ("malformed", "{}", "PARSE_ERROR"), ("unknown%20variant", "{}", "GENERAL"),
      ("fixed", #"{"targetingKey": 7}"#, "INVALID_CONTEXT"),
      ("fixed", #"{"targetingKey": null}"#, "INVALID_CONTEXT"), ("fixed", "[]", "INVALID_CONTEXT"),
      ("fixed", "null", "INVALID_CONTEXT"), ("fixed", "{", "PARSE_ERROR"), ("gone", "[]", "INVALID_CONTEXT"),
    ])
  func refusesOne(key: String, context: String, code: String) throws {
    let (status, body) = try FlagServiceFixture().evaluate(key, context: context)
    #expect(status == 400)
    guard case .object(let fields) = try FlagValue(json: Array(body.utf8)) else {
      Issue.record("\(body)")
      return
    }
    #expect(fields["errorCode"] == .string(code))
    #expect(fields["key"] == .string(key.replacing("%20", with: " ")))
    guard case .string(let details)? = fields["errorDetails"] else {
      Issue.record("\(body)")
      return
    }
    #expect(!details.isEmpty)
  }

  @Test(
    "A body without a context is refused, for one flag and for all",
    arguments: [
      ("", "PARSE_ERROR"), ("{}", "INVALID_CONTEXT"), ("[]", "PARSE_ERROR"), (#"{"context": 1}"#, "INVALID_CONTEXT"),
      ("{\"context\": {}} x", "PARSE_ERROR"),
    ])
  func refusesBodies(body: String, code: String) throws {
    let fixture = try FlagServiceFixture()
    for target in ["/ofrep/v1/evaluate/flags", "/ofrep/v1/evaluate/flags/fixed"] {
      let response = try fixture.ask(.post, target, [:], body)
      #expect(response.status == .badRequest)
      #expect(response.fields[.contentType] == "application/json")
      #expect(response.text.contains("\"errorCode\":\"\(code)\""))
    }
  }

  @Test("A visitor without a targeting key has the default variant of a rollout, and the flags that need no key")
  func answersVisitors() throws {
    let (status, body) = try FlagServiceFixture().evaluate("split", context: "{}")
    #expect(status == 200 && body == #"{"key":"split","value":1,"variant":"a","reason":"UNKNOWN"}"#)
    #expect(try FlagServiceFixture().evaluate("fixed", context: "{}").status == 200)
    #expect(try FlagServiceFixture().evaluate("country", context: #"{"country": "ES"}"#).body.contains("hola"))
  }

  @Test("All flags are answered, failures among them, with the address of the event stream")
  func answersAll() throws {
    let fixture = try FlagServiceFixture()
    let response = try fixture.evaluateAll(context: #"{"country": "ES"}"#)
    #expect(response.status == .ok)
    guard case .object(let fields) = try response.json, case .array(let flags)? = fields["flags"] else {
      Issue.record("\(response.text)")
      return
    }
    #expect(flags.count == 12)
    let failures = flags.compactMap { flag -> String? in
      guard case .object(let fields) = flag, case .string(let code)? = fields["errorCode"] else { return nil }
      return code
    }
    #expect(failures.sorted() == ["GENERAL", "PARSE_ERROR", "PARSE_ERROR"])
    #expect(
      fields["eventStreams"]
        == .array([
          .object([
            "type": "sse", "inactivityDelaySec": 120, "endpoint": .object(["requestUri": "/ofrep/v1/flags/events"]),
          ])
        ]))
  }

  @Test("Asked again with the tag, nothing has changed; another context never shares it")
  func tagsWholeAnswers() throws {
    let fixture = try FlagServiceFixture()
    let spain = #"{"targetingKey": "u", "country": "ES"}"#
    let france = #"{"targetingKey": "u", "country": "FR"}"#
    let first = try fixture.evaluateAll(context: spain)
    let tag = try #require(first.fields[.eTag])
    #expect(!tag.hasPrefix("W/"))
    let again = try fixture.evaluateAll(context: spain, knowing: tag)
    #expect(again.status == .notModified)
    #expect(again.body.isEmpty)
    #expect(again.fields[.eTag] == tag)
    #expect(try fixture.evaluateAll(context: france, knowing: tag).status == .ok)
    fixture.store.set(#"{"flags": {}}"#)
    #expect(try fixture.evaluateAll(context: spain, knowing: tag).status == .ok)
  }

  @Test("A tag of definitions may make a client be sent all, and never keeps it from that")
  func respectsConfigTags() throws {
    let fixture = try FlagServiceFixture()
    let tag = try #require(try fixture.evaluateAll().fields[.eTag])
    let current = try #require(fixture.flags.current?.tag.opaque)
    func status(_ query: String, knowing tag: String?) throws -> Int {
      try fixture.evaluateAll(knowing: tag, query: query).status.code
    }
    #expect(try status("?flagConfigEtag=\(current)", knowing: tag) == 304)
    #expect(try status("?flagConfigEtag=%22\(current)%22", knowing: tag) == 304)
    #expect(try status("?flagConfigEtag=newer", knowing: tag) == 200)
    #expect(try status("?flagConfigEtag=\(current)", knowing: nil) == 200)
    #expect(try status("?flagConfigEtag=\(current)", knowing: "\"other\"") == 200)
    #expect(try status("?flagConfigLastModified=0", knowing: tag) == 304)
    #expect(try status("?flagConfigLastModified=99999999999", knowing: tag) == 200)
  }

  @Test("Where there are no definitions yet, there is no answer yet")
  func waitsForDefinitions() throws {
    let fixture = try FlagServiceFixture(nil)
    for (method, target) in [
      (HTTPMethod.post, "/ofrep/v1/evaluate/flags"), (.post, "/ofrep/v1/evaluate/flags/a"), (.get, "/flags.json"),
      (.get, "/readyz"),
    ] {
      let response = try fixture.ask(method, target, [:], #"{"context": {}}"#)
      #expect(response.status == .serviceUnavailable)
      #expect(response.fields[.retryAfter] == "1")
    }
    #expect(try fixture.ask(.get, "/healthz").status == .ok)
  }

  @Test("What is answered over the wire is what the document says, for any context", arguments: 0..<100)
  func agrees(seed: UInt64) throws {
    let fixture = try FlagServiceFixture()
    let document = try #require(fixture.store.current?.document)
    var attributes: [String: FlagValue] = ["targetingKey": .string("user-\(seed)")]
    if seed.isMultiple(of: 2) { attributes["country"] = seed.isMultiple(of: 4) ? "ES" : "FR" }
    let context = EvaluationContext(attributes: attributes)
    let text = try FlagValue.object(attributes).jsonString()
    for key in document.keys {
      let (status, body) = try fixture.evaluate(key.replacing(" ", with: "%20"), context: text)
      guard case .object(let fields) = try FlagValue(json: Array(body.utf8)) else {
        Issue.record("\(body)")
        return
      }
      do {
        let answer = try #require(try document.evaluate(key, in: context, at: 0))
        #expect(status == 200)
        #expect(fields["value"]?.asDouble == answer.value?.asDouble)
        #expect(fields["variant"] == .string(answer.variant ?? ""))
      } catch let error as FlagError {
        #expect(status == 400)
        #expect(fields["errorCode"] == .string(error.code.rawValue))
      }
    }
  }

  @Test("Definitions of another format are served as any others")
  func servesOtherFormats() throws {
    let fixture = try FlagServiceFixture("a = on\nspain = on for es\na = on\nbroken = perhaps", format: LineFormat())
    #expect(try fixture.evaluate("a").body == #"{"key":"a","value":true,"variant":"on","reason":"STATIC"}"#)
    #expect(
      try fixture.evaluate("spain", context: #"{"countryCode": "es"}"#).body
        == #"{"key":"spain","value":true,"variant":"on","reason":"TARGETING_MATCH"}"#)
    #expect(try fixture.evaluate("broken").body.contains(#""errorCode":"PARSE_ERROR""#))
    #expect(try fixture.evaluate("absent").status == 404)
    #expect(try fixture.evaluateAll().text.ranges(of: "\"key\"").count == 3)
    #expect(try fixture.ask(.get, "/flags.json").text == "a = on\nspain = on for es\na = on\nbroken = perhaps")
  }
}

extension FlagValue {
  /// A whole number as a double, which it may be written as; any other value as it is.
  fileprivate var asDouble: FlagValue { if case .int(let number) = self { .double(Double(number)) } else { self } }
}
