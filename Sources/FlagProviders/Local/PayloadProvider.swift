public import FlagDomain
public import Foundation

/// A provider of the values in a payload that the app has anyway, such as a configuration that its server sent.
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
  private let live: Live<ValueTree>

  /// Creates a provider over anything that can be encoded.
  ///
  /// - Parameters:
  ///   - payload: What holds the values.
  ///   - path: Where in the payload they stand.
  ///   - name: The provider's name.
  /// - Throws: A `FlagError` when the payload cannot be encoded, or has no record or list at the path.
  public init(_ payload: some Encodable, at path: ValuePath = ValuePath(), name: String = "payload") throws(FlagError) {
    self.name = name
    self.path = path
    live = Live(try ValueTree(FlagValue(encoding: payload), at: path))
  }

  /// Creates a provider over JSON.
  ///
  /// - Throws: A `FlagError` that says where the JSON is broken, or that it has no record or list at the path.
  public convenience init(json: Data, at path: ValuePath = ValuePath(), name: String = "payload") throws(FlagError) {
    try self.init(FlagValue(json: json), at: path, name: name)
  }
}

extension PayloadProvider {
  /// Takes another payload.
  ///
  /// - Throws: A `FlagError` when the payload is unusable; the values stay as they are.
  public func update(_ payload: some Encodable) throws(FlagError) {
    let tree = try ValueTree(FlagValue(encoding: payload), at: path)
    live.update { $0 = tree }
  }

  /// Takes other JSON.
  ///
  /// - Throws: A `FlagError` when the JSON is unusable; the values stay as they are.
  public func update(json: Data) throws(FlagError) { try update(FlagValue(json: json)) }
}

extension PayloadProvider: ChangingFlagProvider {
  /// Returns the payload's values at this moment.
  public func snapshot() -> any ProviderSnapshot { live.current }

  /// Calls a closure after every change, until the subscription ends.
  public func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    live.subscribe(onChange)
  }
}

extension ValueTree {
  /// Takes the part of a payload that a path leads to.
  fileprivate init(_ payload: FlagValue, at path: ValuePath) throws(FlagError) {
    switch payload[path] {
    case let part? where ["object", "array"].contains(part.typeName): root = part
    case let other:
      throw FlagError(
        .parseError, "expected an object at \"\(path)\", found \(other?.typeName ?? "nothing")")
    }
  }
}
