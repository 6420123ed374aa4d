public import FlagDomain
import FlagFiles
public import FlagFoundation
import FlagJSON

/// A provider of the values in a JSON file.
///
/// A flag's value is the outermost member whose name is the flag's whole key, or else the value at the key as a path:
/// `feed.page-size` is the member `page-size` of the member `feed`. See `ValuePath`.
///
/// If the file is followed, the values change with it, and subscribers receive the changed keys. While the file is
/// missing, half written or malformed, the last good values stay in use. Values can also be set; that creates the file
/// if it is missing.
public final class JSONFileProvider: Sendable {
  /// The provider's name, which contains the file's.
  public let name: String
  private let file: SharedFile
  private let live: ObservableContent<ValueTree>
  /// A lock held from before the file is read or written until the values are set, so that they are set in the file's
  /// order.
  private let turn = Locked(())
  private let follower = Locked<FileFollower?>(nil)

  private init(_ file: URL, _ shared: SharedFile, _ name: String?, _ data: Data?) throws(FlagError) {
    self.name = name ?? "file \(file.lastPathComponent)"
    self.file = shared
    let tree = try data.map { data throws(FlagError) in try ValueTree(json: data, at: shared.path) }
    live = ObservableContent(tree ?? ValueTree(root: .object([:])))
  }
}

extension JSONFileProvider {
  /// Creates a provider of the current values of a file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - name: The provider's name; nil for one that contains the file's.
  ///   - isRequired: Whether the file must exist; an optional one has no values until it is created.
  /// - Throws: A `FlagError` with the place where the file is not JSON, or the reason why it cannot be read.
  public convenience init(
    contentsOf file: URL, name: String? = nil, isRequired: Bool = true
  ) throws(FlagError) {
    let shared = SharedFile(file)
    try self.init(file, shared, name, shared.contents(isRequired: isRequired))
  }

  /// Creates a provider of the values of a file, and follows the file until the provider is released.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - name: The provider's name; nil for one that contains the file's.
  ///   - isRequired: Whether the file must be usable; an optional one has no values until it is.
  ///   - polling: The time between two looks at the file.
  ///   - onError: Receives an error for each state in which changes left the file unusable: on any thread, one call at
  ///     a time.
  /// - Throws: A `FlagError` with the place where the file is not JSON, or the reason why it cannot be read.
  public convenience init(
    following file: URL, name: String? = nil, isRequired: Bool = true, polling: Duration = .seconds(1),
    onError: @escaping @Sendable (FlagError) -> Void
  ) throws(FlagError) {
    let shared = SharedFile(file)
    let data = isRequired ? try shared.contents() : nil
    try self.init(file, shared, name, data)
    let follower = FileFollower(shared, known: data, polling: polling) { [weak self] content throws(FlagError) in
      if !isRequired, case .failure(let error) = content, error.reason == .missing { return }
      try self?.follow(content)
    } onError: { error in
      onError(error)
    }
    self.follower.withLock { $0 = follower }
  }

  /// Reads the file again after a change, since it may have changed once more.
  private func follow(_ content: Result<Data, FileError>) throws(FlagError) {
    if case .failure(let error) = content { throw FlagError(error) }
    try reload()
  }

  /// Reads the file again.
  ///
  /// - Throws: A `FlagError` when the file is invalid or cannot be read. Then the values are unchanged.
  public func reload() throws(FlagError) {
    try set { () throws(FlagError) in try ValueTree(json: file.contents(), at: file.path) }
  }

  private func set(_ tree: () throws(FlagError) -> ValueTree) throws(FlagError) {
    let changes = try turn.withLock { _ throws(FlagError) in
      let tree = try tree()
      return live.set { $0 = tree }.1
    }
    live.notify(changes)
  }
}

extension JSONFileProvider: FlagProvider {
  /// Returns the last valid values of the file.
  public func snapshot() -> any ProviderSnapshot { live.current }

  /// Calls a closure after every change, until the subscription ends.
  public func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    live.subscribe(onChange)
  }
}

extension JSONFileProvider: WritableFlagProvider {
  /// Sets and removes values in the file, in one step, and then in the provider.
  ///
  /// Changes by others to the file are preserved; writers exclude each other, in this process and in others. A value is
  /// written to the place where the key finds one: the top-level field with the key's name, or else the key's path;
  /// objects on the path are created as needed, and removed when they become empty. Every other byte of the file stays
  /// as it is. A missing file is created from the last good values.
  ///
  /// - Throws: A `FlagError` when the file cannot be read or written; a key leads through something that is not an
  ///   object or array; a value other than an object would replace an object that has fields, and so other flags'
  ///   values, which must be removed first; or the file could not be read back: it would contain an infinite number, or
  ///   more than 256 levels.
  public func write(_ values: [FlagKey: FlagValue?]) throws(FlagError) {
    try set { () throws(FlagError) in
      var tree = live.current
      try file.update({ FlagError($0) }) { old throws(FlagError) in
        if let old { tree = try ValueTree(json: old, at: file.path) }
        do throws(FlagError) {
          let before = tree.root
          try tree.write(values)
          let whole = try tree.root.json(.indented)
          guard let old else { return Data(whole) }
          return Data(try JSONChange.text(Array(old), changedFrom: before, to: tree.root, layout: .indented))
        } catch {
          throw FlagError(error.code, "\(file.path): \(error.message)", key: error.key)
        }
      }
      return tree
    }
  }
}

extension ValueTree {
  fileprivate init(json data: Data, at path: String) throws(FlagError) {
    do throws(FlagError) {
      root = try FlagValue.reading(flags: data)
    } catch {
      throw FlagError(error.code, "\(path): \(error.message)")
    }
  }
}
