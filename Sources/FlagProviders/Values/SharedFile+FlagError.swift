package import FlagDomain
package import FlagFiles
package import FlagFoundation

extension FlagError {
  package init(_ error: FileError) { self.init(.general, "\(error)") }
}

extension SharedFile {
  package func contents() throws(FlagError) -> Data {
    do {
      return try read()
    } catch {
      throw FlagError(error)
    }
  }

  /// Reads the file; one that is not required and missing has no contents.
  package func contents(isRequired: Bool) throws(FlagError) -> Data? {
    do {
      return try read()
    } catch {
      if !isRequired, error.reason == .missing { return nil }
      throw FlagError(error)
    }
  }
}
