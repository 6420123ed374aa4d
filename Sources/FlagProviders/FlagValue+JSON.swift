import FlagDomain
import Foundation

extension FlagValue {
  /// Reads a JSON text; the error says where it is not one.
  init(json: Data) throws(FlagError) {
    do {
      self = try JSONDecoder().decode(FlagValue.self, from: json)
    } catch DecodingError.dataCorrupted(let context) {
      let cause = (context.underlyingError as NSError?)?.userInfo[NSDebugDescriptionErrorKey]
      throw FlagError(.parseError, "expected JSON: \(cause ?? context.debugDescription)")
    } catch {
      throw FlagError(.parseError, "expected JSON: \(error)")
    }
  }

  /// Reads JSON that stands in a text.
  static func reading(json text: String) throws(FlagError) -> FlagValue { try FlagValue(json: Data(text.utf8)) }
}
