public import FlagDomain
public import FlagFoundation
import FlagJSON

/// A provider of the values in a payload, such as a configuration from the app's server.
///
/// ```swift
/// try PayloadProvider(json: response, at: "config.features")
/// ```
///
/// Keys are looked up as in ``JSONFileProvider``, below the given path.
public final class PayloadProvider: Sendable {
  /// The provider's name.
  public let name: String
  private let path: ValuePath
  private let live: ObservableContent<ValueTree>

  /// Creates a provider of the values in an encodable value.
  ///
  /// - Parameters:
  ///   - payload: The value that contains the flags' values.
  ///   - path: The path of the object or array that contains them.
  ///   - name: The provider's name.
  /// - Throws: A `FlagError` when the payload cannot be encoded, or has no object or array at the path.
  public init(_ payload: some Encodable, at path: ValuePath = ValuePath(), name: String = "payload") throws(FlagError) {
    self.name = name
    self.path = path
    live = ObservableContent(try ValueTree(FlagValue(encoding: payload), at: path))
  }

  /// Creates a provider of the values in JSON.
  ///
  /// - Throws: A `FlagError` with the place where the JSON is invalid, or when it has no object or array at the path.
  public convenience init(json: Data, at path: ValuePath = ValuePath(), name: String = "payload") throws(FlagError) {
    try self.init(FlagValue.reading(flags: json), at: path, name: name)
  }

  /// Replaces the payload.
  ///
  /// - Throws: A `FlagError` when the payload is unusable. Then the values are unchanged.
  public func update(_ payload: some Encodable) throws(FlagError) {
    let tree = try ValueTree(FlagValue(encoding: payload), at: path)
    live.update { $0 = tree }
  }

  /// Replaces the payload by another one: JSON in UTF-8.
  ///
  /// - Throws: A `FlagError` when the JSON is unusable. Then the values are unchanged.
  public func update(json: Data) throws(FlagError) { try update(FlagValue.reading(flags: json)) }
}

extension PayloadProvider: FlagProvider {
  /// Returns the values of the payload.
  public func snapshot() -> any ProviderSnapshot { live.current }

  /// Calls a closure after every change, until the subscription ends.
  public func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    live.subscribe(onChange)
  }
}

extension ValueTree {
  fileprivate init(_ payload: FlagValue, at path: ValuePath) throws(FlagError) {
    let part: FlagValue?
    do throws(FlagError) {
      part = try payload.part(at: path)
    } catch {
      throw FlagError(.parseError, error.message)
    }
    switch part {
    case let part? where part.hasParts: root = part
    default: throw FlagError(.parseError, "expected an object at \"\(path)\", found \(part?.typeName ?? "nothing")")
    }
  }
}
