package import FlagDomain
import FlagJSON

extension FlagValue {
  /// Returns the value as JSON text that can be read back.
  ///
  /// - Parameters:
  ///   - key: The key of the flag whose value it is.
  ///   - levels: The number of objects around the value.
  /// - Returns: The text, in one line.
  /// - Throws: A type mismatch that names the flag, for a number that is not finite, or too many levels.
  package func storedText(for key: FlagKey, inside levels: Int = 0) throws(FlagError) -> String {
    do throws(FlagError) {
      return try jsonString(depth: JSONReader.maximumDepth - levels)
    } catch {
      throw FlagError(error.code, error.message, key: key)
    }
  }
}
