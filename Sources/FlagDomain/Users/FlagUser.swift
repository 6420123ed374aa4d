/// A user, as targeting rules see them.
///
/// The value is one reference, and cheap to copy.
public struct FlagUser: Sendable {
  /// The fields, which `storage` holds behind one reference.
  package struct Fields: Sendable {
    package var id: String
    package var countryCode: String?
    package var segments: [String]
    package var attributes: [String: FlagValue]
    package var contexts: [String: [String: FlagValue]]
  }

  private let storage: Storage

  package init(_ fields: Fields) { storage = Storage(fields) }

  /// Creates a user.
  ///
  /// - Parameters:
  ///   - id: The user's id; rules see it as `targetingKey`.
  ///   - countryCode: The user's country, for example as an ISO 3166 code; rules see it as `countryCode`,
  ///     and compare it by code points: "ES" is not "es".
  ///   - segments: The groups that the user belongs to; rules see them as `segments`.
  ///   - attributes: Other attributes; one with a name above is ignored.
  ///   - contexts: The attributes of others that the user comes with, by their kinds: a device, an organization. Rules
  ///     see them as `organization.plan`; in LaunchDarkly's terms each has a `key`.
  public init(
    id: String, countryCode: String? = nil, segments: [String] = [], attributes: [String: FlagValue] = [:],
    contexts: [String: [String: FlagValue]] = [:]
  ) {
    self.init(
      Fields(id: id, countryCode: countryCode, segments: segments, attributes: attributes, contexts: contexts))
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

  /// The user's id; rules see it as `targetingKey`.
  public var id: String { storage.fields.id }
  /// The user's country, or nil; rules see it as `countryCode`.
  public var countryCode: String? { storage.fields.countryCode }
  /// The groups that the user belongs to; rules see them as `segments`.
  public var segments: [String] { storage.fields.segments }
  /// Other attributes; one with a name above is ignored.
  public var attributes: [String: FlagValue] { storage.fields.attributes }
  /// The attributes of others that the user comes with, by their kinds; one of an attribute's name replaces it.
  public var contexts: [String: [String: FlagValue]] { storage.fields.contexts }

  /// The attributes and the contexts as rules see them, merged once.
  var named: [String: FlagValue] { storage.named }

  /// The segments as rules see them, converted once.
  var segmentValues: FlagValue { storage.segmentValues }

  package var fields: Fields { storage.fields }

  private final class Storage: Sendable {
    let fields: Fields
    let named: [String: FlagValue]
    let segmentValues: FlagValue

    var contextValues: FlagValue { .object(fields.contexts.mapValues(FlagValue.object)) }

    init(_ fields: Fields) {
      self.fields = fields
      let (attributes, contexts) = (fields.attributes, fields.contexts)
      named = contexts.isEmpty ? attributes : attributes.merging(contexts.mapValues(FlagValue.object)) { $1 }
      segmentValues = .array(fields.segments.map(FlagValue.string))
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
