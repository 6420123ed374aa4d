/// The place of a flag among groups: the components of their keys, outermost first, and its own.
///
/// ```swift
/// let path = FeedFlags.flags.video.autoPlay.keyPath
/// path.components  // ["feed", "video", "auto-play"]
/// path[7]          // nil
/// ```
///
/// The last component of a flag with a key of its own is that key, as it stands.
public struct FlagKeyPath: Hashable, Sendable {
  /// The components, as they are in keys.
  public let components: [String]

  /// Creates a path of components.
  public init(_ components: [String]) { self.components = components }

  /// The number of components.
  public var count: Int { components.count }

  /// Whether there is no component.
  public var isEmpty: Bool { components.isEmpty }

  /// The outermost component, or nil if there is none.
  public var first: String? { components.first }

  /// The innermost component, or nil if there is none.
  public var last: String? { components.last }

  /// The component at an index, or nil if there is none.
  public subscript(index: Int) -> String? { components.indices.contains(index) ? components[index] : nil }

  /// Returns the path inside the outermost groups; empty if there are not so many components.
  public func dropFirst(_ count: Int = 1) -> FlagKeyPath { FlagKeyPath(Array(components.dropFirst(max(0, count)))) }
}

extension FlagKeyPath: CustomStringConvertible {
  /// The components, joined by dots.
  public var description: String { components.joined(separator: ".") }
}

extension FeatureFlag {
  /// The place of the flag among groups; outside a set, its key alone.
  public var keyPath: FlagKeyPath {
    let components = metadata.keyPath
    return FlagKeyPath(components.isEmpty ? [key.name] : components)
  }
}
