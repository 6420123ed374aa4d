import FlagDomain
import Foundation

extension FlagValue {
  /// Reads a JSON text; the error says where it is not one.
  init(json: Data) throws(FlagError) {
    let bytes = Array(json)
    do throws(JSONError) {
      try self.init(json: bytes)
    } catch {
      let position = JSONLocator(bytes).position(of: error.offset)
      throw FlagError(
        .parseError,
        "line \(position.line), column \(position.column): expected \(error.expected), found \(error.found)")
    }
  }

  /// Reads JSON that stands in a text.
  static func reading(json text: String) throws(FlagError) -> FlagValue { try FlagValue(json: Data(text.utf8)) }
}
