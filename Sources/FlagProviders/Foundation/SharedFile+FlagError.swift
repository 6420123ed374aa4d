import FlagDomain
import FlagFiles
import Foundation

extension FlagError {
  init(_ error: FileError) { self.init(.general, "\(error)") }
}

extension SharedFile {
  func contents() throws(FlagError) -> Data {
    do {
      return try read()
    } catch {
      throw FlagError(error)
    }
  }

  /// Reads the file; one that is not required and missing has no contents.
  func contents(isRequired: Bool) throws(FlagError) -> Data? {
    do {
      return try read()
    } catch {
      if !isRequired, error.reason == .missing { return nil }
      throw FlagError(error)
    }
  }
}
