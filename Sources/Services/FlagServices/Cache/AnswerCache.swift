package import FlagDomain
import FlagFiles
public import FlagFoundation
import FlagJSON
import FlagSupport

/// A cache of the last good answers of services in a folder, which lasts across launches.
///
/// Each answer has its own file, whose name is two hashes: of the service, the credentials and the user's id, and of
/// all that the service receives. The file contains none of them. If there is none for a context, as after an update of
/// the app, the user's newest one is served. A file is replaced as a whole and has a checksum, so it is the old or the
/// new answer, never a mixture.
///
/// Several processes may share the folder, such as an app and its widget. They find each other's answers if their
/// credentials are the same, or if both give the cache a name, which then takes the place of the credentials.
public struct AnswerCache: Sendable {
  private let folder: URL
  private let maximumAge: Duration
  /// The name that takes the place of the credentials in keys, or nil.
  let name: String?

  /// Creates a cache, without reading or creating files.
  ///
  /// - Parameters:
  ///   - folder: The folder of the files. It is created when the first answer is cached.
  ///   - name: A name in place of the credentials, by which an extension without any, or with other ones, finds the
  ///     app's answers for the same service and user. Nil if only the same credentials find them. Clients whose
  ///     credentials lead to other values, as those of another environment do, need another name.
  ///   - maximumAge: The time for which an answer is valid after the service last gave or confirmed it.
  public init(in folder: URL, name: String? = nil, maximumAge: Duration = .seconds(30 * 86_400)) {
    self.folder = folder
    self.name = name
    self.maximumAge = maximumAge
  }
}

/// The key of a cached answer: hashes, which do not reveal the user.
package struct CacheKey: Hashable, Sendable {
  let name: String
  /// The beginning of the names of the answers for one user; nil if there is one answer for everyone.
  fileprivate let owner: String?

  /// Creates a key from the name of its file.
  fileprivate init(name: String) { (self.name, owner) = (name, nil) }

  /// Creates a key.
  ///
  /// - Parameters:
  ///   - identity: The service and the credentials, or the name in their place.
  ///   - person: Who the answer is for; nil if it is for everyone.
  ///   - context: What the service receives.
  package init(_ identity: [String], of person: FlagValue? = nil, context: [String: FlagValue]) {
    let identity = FlagValue.array(identity.map(FlagValue.string))
    owner = person.map { "\(Self.hash(identity, $0))-" }
    name = (owner ?? "") + Self.hash(identity, .object(context))
  }

  private static func hash(_ identity: FlagValue, _ other: FlagValue) -> String {
    do throws(FlagError) {
      return SHA256.hex(of: try FlagValue.array([identity, other]).json())
    } catch {
      // The context has an infinite number, or too many levels: such a context cannot be sent either.
      return SHA256.hex(of: "\(identity)".utf8)
    }
  }
}

package struct CacheEntry: Hashable, Sendable {
  package let tag: String?
  package let fetchedAt: Int64
  package let body: [UInt8]
}

extension AnswerCache {
  /// Returns the cached answer for a key, or nil if there is no answer or it is too old.
  ///
  /// - Throws: A `FlagError` if the file cannot be read or is corrupt.
  package func entry(for key: CacheKey, now: Int64) throws(FlagError) -> CacheEntry? {
    let data: Data
    do {
      data = try file(for: key).read()
    } catch  where error.reason == .missing {
      return nil
    } catch {
      throw FlagError(.general, "the cached answer is not used: \(error)")
    }
    guard let entry = CachedText(data, for: key).map(CacheEntry.init) else {
      throw FlagError(.parseError, "the cached answer is corrupt: its checksum does not match")
    }
    guard !isFuture(entry.fetchedAt, now: now) else { return redate(entry, to: now, for: key) }
    return isExpired(entry.fetchedAt, now: now) ? nil : entry
  }

  /// Returns the newest cached answer for the same service, credentials and user as those of a key, or nil.
  ///
  /// - Throws: A `FlagError` if the folder cannot be read, or none of the answers.
  package func newestEntry(like key: CacheKey, now: Int64) throws(FlagError) -> CacheEntry? {
    guard let owner = key.owner, FileManager.default.fileExists(atPath: folder.path) else { return nil }
    var newest: CacheEntry?
    var failure: FlagError?
    for name in try names() where name.hasPrefix(owner) {
      do throws(FlagError) {
        guard let entry = try entry(for: CacheKey(name: name), now: now) else { continue }
        if newest.map({ $0.fetchedAt < entry.fetchedAt }) ?? true { newest = entry }
      } catch {
        failure = error
      }
    }
    if newest == nil, let failure { throw failure }
    return newest
  }

  /// Returns the names of the keys of all answers.
  private func names() throws(FlagError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .compactMap { $0.wholeMatch(of: /flags-((?:[0-9a-f]{64}-)?[0-9a-f]{64})\.cache/).map { String($0.1) } }
    } catch {
      throw FlagError(.general, "\(folder.path): cached answers cannot be listed: \(error.words)")
    }
  }

  /// Returns an answer from the future as one of now, and caches it as such, so that its age counts from now on.
  private func redate(_ entry: CacheEntry, to now: Int64, for key: CacheKey) -> CacheEntry {
    do throws(FlagError) {
      try store(entry.body, tag: entry.tag, fetchedAt: now, for: key)
    } catch {
      // It can be served nonetheless; that the folder cannot be written is reported with the next answer.
    }
    return CacheEntry(tag: entry.tag, fetchedAt: now, body: entry.body)
  }

  /// Caches an answer for a key, unless another process has cached a newer one there meanwhile.
  ///
  /// An answer from the future, of a clock that was ahead, is replaced.
  ///
  /// - Parameters:
  ///   - body: The answer; nil to confirm the cached one, which then counts as that new.
  ///   - tag: The service's tag of the answer.
  ///   - fetchedAt: The time when the service gave or confirmed it, in seconds since the beginning of 1970.
  ///   - key: The key of the answer.
  /// - Throws: A `FlagError` if the folder cannot be created, or the file cannot be read or written.
  package func store(_ body: [UInt8]?, tag: String?, fetchedAt: Int64, for key: CacheKey) throws(FlagError) {
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw FlagError(.general, "\(folder.path): expected a folder that can be made: \(error.words)")
    }
    var isFirst = false
    try file(for: key).update({ FlagError(.general, "\($0)") }) { data throws(FlagError) in
      isFirst = data == nil
      let old = data.flatMap { CachedText($0, for: key) }
      if let old, old.fetchedAt > fetchedAt, !isFuture(old.fetchedAt, now: fetchedAt) { return nil }
      if let body { return try CachedText.text(of: body, tag: tag, fetchedAt: fetchedAt, for: key) }
      guard let old, old.tag == tag else { return nil }
      return try CachedText.text(of: old.body, tag: tag, fetchedAt: fetchedAt, for: key)
    }
    if isFirst { try removeExpired(now: fetchedAt) }
  }

  /// Removes the answers that are too old, which are those of users who have been inactive for long.
  private func removeExpired(now: Int64) throws(FlagError) {
    let names = try names()
    do {
      for name in names {
        let key = CacheKey(name: name)
        try file(for: key).update({ $0 }) { data in
          guard let data, let entry = CachedText(data, for: key) else { return nil }
          if isFuture(entry.fetchedAt, now: now) {
            return try CachedText.text(of: entry.body, tag: entry.tag, fetchedAt: now, for: key)
          }
          if isExpired(entry.fetchedAt, now: now) { try FileManager.default.removeItem(at: url(of: key)) }
          return nil
        }
      }
    } catch {
      throw FlagError(.general, "\(folder.path): cached answers cannot be removed: \(error.words)")
    }
  }

  private func isExpired(_ fetchedAt: Int64, now: Int64) -> Bool {
    now - fetchedAt > maximumAge.components.seconds
  }

  /// Returns whether an answer was cached while the clock was ahead; two processes' requests may differ by a minute.
  private func isFuture(_ fetchedAt: Int64, now: Int64) -> Bool { fetchedAt - 60 > now }

  private func url(of key: CacheKey) -> URL { folder.appending(path: "flags-\(key.name).cache") }

  private func file(for key: CacheKey) -> SharedFile { SharedFile(url(of: key), mode: 0o600, followsLinks: false) }
}

extension CacheEntry {
  fileprivate init(_ text: CachedText) {
    self.init(tag: text.tag, fetchedAt: text.fetchedAt, body: Array(text.body))
  }
}

/// The content of a file, whose answer is a part of it.
private struct CachedText {
  let tag: String?
  let fetchedAt: Int64
  let body: Data

  private static let magic = "flag answer 1"

  /// Returns the content of a file: a line with the format, the checksum of the rest, a line of metadata, the answer.
  ///
  /// Only one copy of an answer is made, which may have megabytes.
  static func text(
    of body: some Collection<UInt8>, tag: String?, fetchedAt: Int64, for key: CacheKey
  ) throws(FlagError) -> Data {
    var facts: [String: FlagValue] = ["key": .string(key.name), "fetchedAt": .int(Int128(fetchedAt))]
    if let tag { facts["tag"] = .string(tag) }
    let (head, line) = (Array("\(magic)\n".utf8), try FlagValue.object(facts).json())
    let start = head.count + SHA256.hex(of: []).utf8.count + 1
    var text = Data(capacity: start + line.count + 1 + body.count)
    text.append(contentsOf: head)
    text.append(contentsOf: repeatElement(0x0A, count: start - head.count))
    text.append(contentsOf: line)
    text.append(0x0A)
    text.append(contentsOf: body)
    text.replaceSubrange(head.count..<start - 1, with: SHA256.hex(of: text[start...]).utf8)
    return text
  }

  /// Parses the content of a file; nil if it is corrupt or for another key.
  init?(_ text: Data, for key: CacheKey) {
    let parts = text.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0].elementsEqual(Self.magic.utf8),
      parts[1].elementsEqual(SHA256.hex(of: text[parts[2].startIndex...]).utf8),
      let facts = Self.facts(Array(parts[2])), facts["key"] == .string(key.name),
      case .int(let time)? = facts["fetchedAt"], let time = Int64(exactly: time)
    else { return nil }
    tag = facts["tag"]?.text
    fetchedAt = time
    body = parts[3]
  }

  private static func facts(_ line: [UInt8]) -> [String: FlagValue]? {
    do throws(JSONError) {
      return try FlagValue(json: line).fields
    } catch {
      return nil
    }
  }
}
