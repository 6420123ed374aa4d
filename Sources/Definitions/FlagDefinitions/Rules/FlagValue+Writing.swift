import FlagDomain
import FlagJSON

extension String {
  /// The text in quotation marks, as in messages: at most its first 100 characters.
  package var quoted: String { "\(FlagValue.string(excerpt))" }
}

extension FlagValue {
  /// The JSON of the value, which was parsed from JSON; a double without a fraction is written with one.
  package var written: [UInt8] {
    do throws(FlagError) {
      return try json(depth: .max)
    } catch {
      preconditionFailure("what was read from JSON can be written: \(error)")
    }
  }
}
