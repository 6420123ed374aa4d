public import FlagDomain
import FlagFiles
public import FlagFoundation
import FlagJSON

/// A store of overrides in a JSON file: an object of keys and values, one per line.
///
/// Each write reads the file again and replaces it in one step, while other writers wait: stores of this process and of
/// others. Their overrides are preserved. If the program is killed while writing, the file is the old one or the new
/// one.
///
/// Changes by others to the file also take effect in a running program, as soon as they are detected.
///
/// A malformed file is copied before the first write, to a file of its name and `.unreadable`, so that it is not lost.
/// A file that cannot be read is left unchanged, and cannot be written.
public struct FileOverrideStore {
  private let file: SharedFile
  private let polling: Duration
  private let known = KnownContent()
  private let parse: @Sendable (Data) throws(FlagError) -> FlagValue

  /// Creates a store in a file, which the first write creates.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - polling: The time between two looks at the file.
  public init(_ file: URL, polling: Duration = .seconds(1)) {
    self.init(file, polling: polling, parse: FlagValue.reading(flags:))
  }

  package init(
    _ file: URL, polling: Duration = .seconds(1), parse: @escaping @Sendable (Data) throws(FlagError) -> FlagValue
  ) {
    self.file = SharedFile(file)
    self.polling = polling
    self.parse = parse
  }
}

extension FileOverrideStore: FlagOverrideStore {
  /// Returns every stored override; a file that does not exist holds none.
  public func load() throws(FlagError) -> [FlagKey: FlagValue] {
    let data: Data
    do {
      data = try file.read()
    } catch {
      if error.reason == .missing { return [:] }
      throw FlagError(error)
    }
    let keyed = try fields(in: data).compactMap { name, value in FlagKey(validating: name).map { ($0, value) } }
    return Dictionary(keyed) { first, _ in first }
  }

  /// Stores overrides, and deletes those whose value is nil, by replacing the file.
  ///
  /// - Throws: A type mismatch if a value cannot be stored: an infinite number, or more than 255 levels of arrays and
  ///   objects; or an error if the file cannot be written. Then the file is unchanged.
  public func write(_ values: [FlagKey: FlagValue?]) throws(FlagError) {
    try file.update({ FlagError($0) }) { old throws(FlagError) in
      let before = try old.flatMap { data throws(FlagError) in try usableFields(in: data) }
      var fields = before ?? [:]
      for (key, value) in values {
        _ = try value?.storedText(for: key, inside: 1)  // so that the error names the flag
        fields[key.name] = value
      }
      let new = Data(try Self.text(old, changedFrom: before, to: fields))
      known.content.withLock { $0 = (new, fields) }
      return new
    }
  }
}

extension FileOverrideStore {
  /// Follows the file: calls a closure whenever its content may have changed, until the subscription ends.
  ///
  /// A content that cannot be loaded counts once it has stayed for a moment, since its writer may not be done.
  public func subscribe(_ onChange: @escaping @Sendable (FlagError?) -> Void) -> FlagSubscription {
    let follower = FileFollower(file, polling: polling) { content throws(FlagError) in
      if case .failure(let error) = content { throw FlagError(error) }
      _ = try load()
      onChange(nil)
    } onError: { _ in
      // Loading says what is wrong.
      onChange(nil)
    }
    return FlagSubscription { follower.close() }
  }

  /// Returns the members of an object, without parsing again the content that was last written or parsed.
  private func fields(in data: Data) throws(FlagError) -> [String: FlagValue] {
    if let (last, fields) = known.content.withLock({ $0 }), last == data { return fields }
    do throws(FlagError) {
      let value = try parse(data)
      guard case .object(let fields) = value else {
        throw FlagError(.parseError, "expected an object of keys and values, found \(value.typeName)")
      }
      known.content.withLock { $0 = (data, fields) }
      return fields
    } catch {
      throw FlagError(error.code, "\(file.path): \(error.message)")
    }
  }

  /// Returns the file's text with other members; a new text if the file's is not used.
  private static func text(
    _ old: Data?, changedFrom before: [String: FlagValue]?, to fields: [String: FlagValue]
  ) throws(FlagError) -> [UInt8] {
    guard let old, let before else { return try FlagValue.object(fields).json(.lines) }
    return try JSONChange.text(Array(old), changedFrom: .object(before), to: .object(fields), layout: .lines)
  }

  /// Returns the members of the file's object; nil if its content is malformed, of which a copy is then kept.
  private func usableFields(in data: Data) throws(FlagError) -> [String: FlagValue]? {
    do throws(FlagError) {
      return try fields(in: data)
    } catch {
      do throws(FileError) { try file.keepCopy("unreadable") } catch { throw FlagError(error) }
      return nil
    }
  }
}

/// The bytes that a store last wrote or parsed, and their values.
///
/// They are compared as a whole: by its size and dates, a file that others write to at the same moment looks unchanged.
private final class KnownContent: Sendable {
  let content = Locked<(data: Data, fields: [String: FlagValue])?>(nil)
}
