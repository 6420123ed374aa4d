import FlagDomain
import FlagJSON

/// An event as a line of a queue, with its units.
struct QueueLine: Equatable, Sendable {
  var bytes: [UInt8]
  /// The units, by which events are dropped; none for a loss, and for a line that cannot be read.
  var units: [String] = []
  /// The others whom the event names.
  var others: [String] = []
}

extension QueueLine {
  /// Reads the units of a line from a file: its members `unit` and `units`, without making values of the others.
  init(_ bytes: [UInt8]) {
    self.init(bytes: bytes)
    do throws(JSONError) {
      (units, others) = try JSONReader.read(bytes) { reader throws(JSONError) in
        var (unit, units, kind): (String?, Set<String>, FlagValue?) = (nil, [], nil)
        try reader.enterObject()
        while let name = try reader.nextMember() {
          switch name {
          case "unit": if case .string(let text) = try reader.readValue() { unit = text }
          case "units":
            if case .object(let members) = try reader.readValue() { units = Set(members.values.compactMap(\.text)) }
          case "kind": kind = try reader.readValue()
          default: break
          }
        }
        let own = unit.map { [$0] } ?? []
        return switch kind {
        case "loss": ([], [])
        case "exposure": (own, Array(units))
        default: (Array(units.union(own)), [])
        }
      }
    } catch {
      // reported when its batch is sent
    }
  }

  /// Returns whether the event names a unit.
  func names(_ unit: String) -> Bool { (units + others).contains { FlagValue.string($0) == .string(unit) } }
}

extension [QueueLine] {
  /// The lines as they are in a file.
  var fileBytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(weight)
    for line in self {
      bytes += line.bytes
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }
}
