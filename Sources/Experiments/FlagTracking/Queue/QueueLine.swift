import FlagDomain
import FlagJSON

/// An event as a line of a queue, with its unit.
struct QueueLine: Equatable, Sendable {
  var bytes: [UInt8]
  /// The unit, by which events are dropped; nil for a loss, and for a line that cannot be read.
  var unit: String?
}

extension QueueLine {
  /// Reads the unit of a line from a file.
  init(_ bytes: [UInt8]) { self.init(bytes: bytes, unit: Self.unit(of: bytes)) }

  /// Returns the member `unit` of the outermost object, without making values of the others.
  private static func unit(of line: [UInt8]) -> String? {
    do throws(JSONError) {
      return try JSONReader.read(line) { reader throws(JSONError) in
        var (unit, isLoss): (String?, Bool) = (nil, false)
        try reader.enterObject()
        while let name = try reader.nextMember() {
          if name == "unit", case .string(let text) = try reader.readValue() { unit = text }
          if name == "kind", try reader.readValue() == "loss" { isLoss = true }
        }
        return isLoss ? nil : unit
      }
    } catch {
      return nil  // reported when its batch is sent
    }
  }
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
