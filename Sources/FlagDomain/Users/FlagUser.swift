/// A user, as targeting rules see them.
///
/// The value is one reference, and cheap to copy.
public struct FlagUser: Sendable {
  private let storage: Storage

  /// Creates a user.
  ///
  /// - Parameters:
  ///   - id: The user's id; rules see it as `targetingKey`.
  ///   - countryCode: The user's country, for example as an ISO 3166 code; rules see it as `countryCode`.
  ///   - segments: The groups that the user belongs to; rules see them as `segments`.
  ///   - attributes: Other attributes; one with a name above is ignored.
  ///   - contexts: The attributes of others that the user comes with, by their kinds: a device, an organization. Rules
  ///     see them as `organization.plan`; in LaunchDarkly's terms each has a `key`.
  public init(
    id: String, countryCode: String? = nil, segments: [String] = [], attributes: [String: FlagValue] = [:],
    contexts: [String: [String: FlagValue]] = [:]
  ) {
    storage = Storage(
      id: id, countryCode: countryCode, segments: segments, attributes: attributes, contexts: contexts)
  }

  /// Creates a user with attributes that are plain values, such as `["plan": plan, "age": 42]`.
  public init(
    id: String, countryCode: String? = nil, segments: [String] = [], attributes: [String: any FlagAttribute],
    contexts: [String: [String: any FlagAttribute]] = [:]
  ) {
    self.init(
      id: id, countryCode: countryCode, segments: segments, attributes: attributes.mapValues(\.attributeValue),
      contexts: contexts.mapValues { $0.mapValues(\.attributeValue) })
  }
}

extension FlagUser {
  /// The user's id; rules see it as `targetingKey`.
  public var id: String { storage.id }
  /// The user's country, or nil; rules see it as `countryCode`.
  public var countryCode: String? { storage.countryCode }
  /// The groups that the user belongs to; rules see them as `segments`.
  public var segments: [String] { storage.segments }
  /// Other attributes; one with a name above is ignored.
  public var attributes: [String: FlagValue] { storage.attributes }
  /// The attributes of others that the user comes with, by their kinds; one of an attribute's name replaces it.
  public var contexts: [String: [String: FlagValue]] { storage.contexts }

  /// The attributes and the contexts as rules see them, merged once.
  var named: [String: FlagValue] { storage.named }

  /// The segments as rules see them, converted once.
  var segmentValues: FlagValue { storage.segmentValues }

  private final class Storage: Sendable {
    let id: String
    let countryCode: String?
    let segments: [String]
    let attributes: [String: FlagValue]
    let contexts: [String: [String: FlagValue]]
    let named: [String: FlagValue]
    let segmentValues: FlagValue

    var contextValues: FlagValue { .object(contexts.mapValues(FlagValue.object)) }

    init(
      id: String, countryCode: String?, segments: [String], attributes: [String: FlagValue],
      contexts: [String: [String: FlagValue]]
    ) {
      self.id = id
      self.countryCode = countryCode
      self.segments = segments
      self.attributes = attributes
      self.contexts = contexts
      named = contexts.isEmpty ? attributes : attributes.merging(contexts.mapValues(FlagValue.object)) { $1 }
      segmentValues = .array(segments.map(FlagValue.string))
    }
  }
}

extension FlagUser: Hashable {
  /// Returns whether all properties are equal; strings are compared by code points.
  ///
  /// Two ids that differ in their Unicode normal form are two users, as they are for rules and services.
  public static func == (left: FlagUser, right: FlagUser) -> Bool {
    left.storage === right.storage
      || left.id.isIdentical(to: right.id)
        && left.countryCode.attributeValue == right.countryCode.attributeValue
        && left.segmentValues == right.segmentValues
        && FlagValue.object(left.attributes) == .object(right.attributes)
        && left.storage.contextValues == right.storage.contextValues
  }

  /// Feeds the user's id to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
