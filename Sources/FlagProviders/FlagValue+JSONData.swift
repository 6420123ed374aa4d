import FlagDomain
import Foundation

extension FlagValue {
  /// Reads a JSON text; the error says where it is not one.
  init(json: Data) throws(FlagError) {
    let bytes = Array(json)
    do throws(JSONError) {
      try self.init(json: bytes)
    } catch {
      let position = TextPosition(of: error.offset, in: bytes)
      throw FlagError(.parseError, "line \(position.line), column \(position.column): \(error)")
    }
  }

  /// Reads JSON that stands in a text.
  static func reading(json text: String) throws(FlagError) -> FlagValue { try FlagValue(json: Data(text.utf8)) }
}
