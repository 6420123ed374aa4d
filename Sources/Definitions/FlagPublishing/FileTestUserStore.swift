import FlagDefinitions
public import FlagDomain
import FlagFiles
public import FlagFoundation
import FlagProviders

/// A store of test users in a file of JSON lines, such as `flags.users.jsonl` beside `flags.json`.
///
/// The first user that is added creates the file. Each change reads the file again and replaces it in one step, while
/// other writers wait. A file that cannot be read as test users is never replaced.
public final class FileTestUserStore: TestUserStore {
  /// The file's path, from the root.
  public var name: String { file.path }
  private let file: SharedFile
  private let users = Locked<[TestUser]>([])

  /// Creates a store in a file; nothing is read yet.
  public init(_ file: URL) { self.file = SharedFile(file, limit: TestUser.maximumSize) }

  /// Returns the file beside a document that has its test users.
  package static func file(beside document: URL) -> URL {
    document.deletingPathExtension().appendingPathExtension("users.jsonl")
  }

  /// The users that were read or written last, in order.
  public var current: [TestUser] { users.withLock { $0 } }

  /// Reads the file; a missing one has no users.
  public func refresh() async throws(FlagError) {
    let users = try await elsewhere { [self] () throws(FlagError) in try read() }
    self.users.withLock { $0 = users }
  }

  /// Changes the users by replacing the file.
  public func change(
    _ edit: @escaping @Sendable ([TestUser]) throws(FlagError) -> [TestUser]
  ) async throws(FlagError) {
    let changed = try await elsewhere { [self] () throws(FlagError) in try write(edit) }
    users.withLock { $0 = changed }
  }

  private func read() throws(FlagError) -> [TestUser] {
    try file.contents(isRequired: false).map { data throws(FlagError) in try users(in: data) } ?? []
  }

  private func write(_ edit: ([TestUser]) throws(FlagError) -> [TestUser]) throws(FlagError) -> [TestUser] {
    var users: [TestUser] = []
    try file.update({ FlagError($0) }) { old throws(FlagError) in
      users = try edit(try old.map { data throws(FlagError) in try self.users(in: data) } ?? [])
      return Data(try TestUser.lines(of: users))
    }
    return users
  }

  private func users(in data: Data) throws(FlagError) -> [TestUser] {
    do throws(FlagError) {
      return try TestUser.reading(lines: String(decoding: data, as: UTF8.self))
    } catch {
      throw FlagError(error.code, "\(file.path): \(error.message)")
    }
  }
}
