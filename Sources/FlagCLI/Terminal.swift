public import Foundation

/// What the tool reads and writes: files, standard input and output, and the time.
public struct Terminal: Sendable {
  /// Returns the contents of a file.
  var file: @Sendable (String) throws -> Data
  /// Opens a file, or standard input where there is no path; each call of the result returns the next piece.
  var open: @Sendable (String?) throws -> () throws -> Data?
  /// Writes text to standard output.
  var write: @Sendable (String) -> Void
  /// Writes text to standard error.
  var writeError: @Sendable (String) -> Void
  /// Returns the time in seconds since the beginning of 1970 in UTC.
  var now: @Sendable () -> Int64

  /// Creates a terminal.
  ///
  /// - Parameters:
  ///   - file: Returns the contents of a file.
  ///   - open: Opens a file, or standard input for nil. Each call of what it returns gives the next piece, and nil at
  ///     the end.
  ///   - write: Writes text to standard output.
  ///   - writeError: Writes text to standard error.
  ///   - now: Returns the time in seconds since the beginning of 1970 in UTC.
  public init(
    file: @escaping @Sendable (String) throws -> Data, open: @escaping @Sendable (String?) throws -> () throws -> Data?,
    write: @escaping @Sendable (String) -> Void, writeError: @escaping @Sendable (String) -> Void,
    now: @escaping @Sendable () -> Int64
  ) {
    self.file = file
    self.open = open
    self.write = write
    self.writeError = writeError
    self.now = now
  }
}

extension Terminal {
  /// The files, standard streams and clock of this process.
  public static let standard = Terminal(
    file: { try Data(contentsOf: URL(fileURLWithPath: $0)) },
    open: { path in
      let handle = try path.map { try FileHandle(forReadingFrom: URL(fileURLWithPath: $0)) } ?? .standardInput
      return { try nextPiece(of: handle) }
    },
    write: { FileHandle.standardOutput.write(Data($0.utf8)) },
    writeError: { FileHandle.standardError.write(Data($0.utf8)) },
    now: { Int64(Date().timeIntervalSince1970) })
}

/// Returns what can be read from a file by now, waiting where there is nothing yet; nil at the end.
///
/// The handle's own methods wait for as much as they are asked for, and would hold back the lines of a slow writer.
private func nextPiece(of handle: FileHandle) throws -> Data? {
  var bytes = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = read(handle.fileDescriptor, &bytes, bytes.count)
    if count >= 0 { return count == 0 ? nil : Data(bytes.prefix(count)) }
    guard errno == EINTR else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }
}
