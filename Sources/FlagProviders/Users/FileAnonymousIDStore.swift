public import FlagDomain
import FlagFiles
public import FlagFoundation
import FlagSupport

/// A store of the visitors' id in a separate file, as text in one line.
///
/// Processes that share the file share the id, whichever of them creates it: they exclude each other by a lock on a
/// file `.NAME.lock` beside it. Only the user can read the file.
///
/// A file that the system does not let the app read yet, as on an iPhone that was not unlocked since it was started, is
/// an error, and never replaced.
public struct FileAnonymousIDStore: AnonymousIDStore {
  private let file: SharedFile
  private let protectedData: ProtectedData?

  /// Creates a store in a file, which is created with the first id, in an existing directory.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - protectedData: The state of protected data, after whose change a client reads an unreadable file at once; nil
  ///     to read it again some seconds later, and when the user changes.
  public init(_ file: URL, protectedData: ProtectedData? = nil) {
    self.file = SharedFile(file, limit: 4096, mode: 0o600)
    self.protectedData = protectedData
  }

  /// Returns the id in the file, or nil if the file does not exist or is empty.
  ///
  /// - Throws: An error with the reason why the file cannot be read, or because it is not text.
  public func load() throws(FlagError) -> String? {
    try file.contents(isRequired: false).flatMap { data throws(FlagError) in try id(in: data) }
  }

  /// Replaces the file; nil empties it.
  ///
  /// - Throws: An error with the reason why the file cannot be written, or because the id does not fit in a line.
  public func store(_ id: String?) throws(FlagError) {
    let content = try id.map { id throws(FlagError) in try line(id) } ?? Data()
    try file.update({ FlagError($0) }) { old throws(FlagError) in old == nil && id == nil ? nil : content }
  }

  /// Writes the file unless it contains an id.
  ///
  /// - Throws: As the other calls do.
  public func storeIfNone(_ id: String) throws(FlagError) -> String {
    var stored = id
    let content = try line(id)
    try file.update({ FlagError($0) }) { old throws(FlagError) in
      guard let old, let other = try self.id(in: old) else { return content }
      stored = other
      return nil
    }
    return stored
  }

  /// Calls a closure when the device was unlocked.
  public func subscribe(_ onAvailable: @escaping @Sendable () -> Void) -> FlagSubscription {
    protectedData?.subscribe(onAvailable) ?? FlagSubscription {}
  }

  private func id(in data: Data) throws(FlagError) -> String? {
    guard let text = String(validating: data, as: UTF8.self) else {
      throw FlagError(.parseError, "\(file.path): expected an id in UTF-8")
    }
    let id = text.trimmingSpaces
    return id.isEmpty ? nil : id
  }

  private func line(_ id: String) throws(FlagError) -> Data {
    let line = Data("\(id)\n".utf8)
    guard try self.id(in: line) == id else {
      throw FlagError(
        .general, "\(file.path): expected an id without white space around it, found \"\(id.prefix(100))\"")
    }
    return line
  }
}
