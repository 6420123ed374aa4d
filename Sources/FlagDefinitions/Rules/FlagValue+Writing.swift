import FlagDomain
import FlagJSON

extension String {
  /// The text in quotation marks, as messages quote it: no more than the first 100 characters.
  package var quoted: String { "\(FlagValue.string(excerpt))" }
}

extension FlagValue {
  /// The value, which was read from JSON, as JSON; a whole double has a fraction.
  package var written: [UInt8] {
    do throws(FlagError) {
      return try json(depth: .max)
    } catch {
      preconditionFailure("what was read from JSON can be written: \(error)")
    }
  }
}
