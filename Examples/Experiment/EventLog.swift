import FlagDomain
import Foundation

/// What happened, as lines of JSON, each event a minute after the one before.
struct EventLog {
  private(set) var text = ""
  private(set) var exposures = 0
  private(set) var conversions = 0

  private struct Event: Encodable {
    var schema = 1
    var kind: String
    var id: String
    var time: String
    var unit: String
    var flag: String?
    var variant: String?
    var reason: String?
    var name: String?
  }
}

extension EventLog {
  mutating func add(_ exposure: Exposures.Exposure, of user: FlagUser) {
    var event = event("exposure", of: user)
    (event.flag, event.variant, event.reason) = (exposure.flag, exposure.variant, exposure.reason)
    write(event)
    exposures += 1
  }

  /// Adds a conversion.
  mutating func add(_ name: String, of user: FlagUser) {
    var event = event("conversion", of: user)
    event.name = name
    write(event)
    conversions += 1
  }

  private func event(_ kind: String, of user: FlagUser) -> Event {
    let number = exposures + conversions
    let time = Date(timeIntervalSince1970: 1_793_491_200 + 60 * Double(number))
    let digits = String(number, radix: 16, uppercase: true)
    let id = "00000000-0000-4000-8000-\(String(repeating: "0", count: 12 - digits.count))\(digits)"
    return Event(kind: kind, id: id, time: time.formatted(.iso8601), unit: user.id)
  }

  private mutating func write(_ event: Event) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    do {
      text += String(decoding: try encoder.encode(event), as: UTF8.self) + "\n"
    } catch {
      preconditionFailure("strings and numbers can be encoded: \(error)")
    }
  }
}
