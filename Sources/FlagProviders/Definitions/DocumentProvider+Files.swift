public import FlagDefinitions
public import FlagDomain
import FlagFiles
public import FlagFoundation

extension DocumentProvider where Format: DefinitionFormat {
  /// Creates a provider that serves the current document of a file.
  ///
  /// - Parameters:
  ///   - file: The file, which is read once.
  ///   - name: The provider's name; nil for the name of the format.
  ///   - format: The format, with its settings.
  /// - Throws: A `FlagDocumentError` with everything that prevents the document from being served, or a `FlagError`
  ///   with the reason why the file cannot be read.
  public convenience init(
    contentsOf file: URL, name: String? = nil, format: Format = Format()
  ) throws {
    let data = try SharedFile(file).contents()
    self.init(serving: try format.read(Array(data), of: file.path), name: name ?? format.name, clock: .system)
  }

  /// Creates a provider that serves the document of a file, and follows the file until the provider is released.
  ///
  /// While the file is missing, half written or invalid, the last valid document is served; before there was one, the
  /// bundled one; without that, later providers have the values. The status says why, and a client reports each cause
  /// once, and its end.
  ///
  /// - Parameters:
  ///   - file: The file, which need not exist.
  ///   - bundled: The document to serve until the file has one, such as that of the app's bundle; nil for none.
  ///   - name: The provider's name; nil for the name of the format.
  ///   - format: The format of both documents, with its settings.
  ///   - polling: The time between two looks at the file.
  ///   - onError: Receives an error for each state in which the file cannot be served: the first before this returns,
  ///     later ones on any thread, one call at a time.
  /// - Throws: A `FlagDocumentError` with everything that prevents the bundled document from being served.
  public convenience init(
    following file: URL, bundled: Data? = nil, name: String? = nil, format: Format = Format(),
    polling: Duration = .seconds(1), onError: @escaping @Sendable (any Error) -> Void = { _ in }
  ) throws(FlagDocumentError) {
    let document = try bundled.map { data throws(FlagDocumentError) in try format.read(Array(data), of: nil) }
    self.init(bundled: document, name: name ?? format.name)
    let subscription = follow(file, format, polling: polling) { [weak self] error in
      self?.fail(with: error)
      onError(error)
    }
    following.withLock { $0 = subscription }
  }

  /// Serves the document of a file, and follows the file until the subscription ends.
  ///
  /// When this returns, the file's document is served. While the file is missing, half written or invalid, the last
  /// valid document is served, wherever it came from.
  ///
  /// - Parameters:
  ///   - file: The file, which need not exist.
  ///   - polling: The time between two looks at the file.
  ///   - onError: Receives an error for each state in which the file cannot be served: the first before this returns,
  ///     later ones on any thread, one call at a time.
  /// - Returns: The subscription. It ends when it is cancelled or released, after waiting for a call in progress.
  public func follow(
    _ file: URL, polling: Duration = .seconds(1), onError: @escaping @Sendable (any Error) -> Void
  ) -> FlagSubscription {
    follow(file, document?.format ?? Format(), polling: polling, onError)
  }

  private func follow(
    _ file: URL, _ format: any DefinitionFormat, polling: Duration, _ onError: @escaping @Sendable (any Error) -> Void
  ) -> FlagSubscription {
    let follower = FileFollower(SharedFile(file), polling: polling) { [weak self] content in
      switch content {
      case .success(let data): try self?.update(with: data, of: file.path, format)
      case .failure(let error): throw FlagError(error)
      }
    } onError: { error in
      onError(error)
    }
    return FlagSubscription { follower.close() }
  }
}
