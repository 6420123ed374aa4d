/// An error of the system, by its number (`errno`), in the system's words.
package struct SystemError: Error, Hashable, Sendable {
  package let code: Int32

  /// Captures the error of the last call that failed on this thread, or takes the number of another one.
  package init(code: Int32 = errno) { self.code = code }
}

extension SystemError: CustomStringConvertible {
  package var description: String { unsafe String(cString: strerror(code)) }
}
