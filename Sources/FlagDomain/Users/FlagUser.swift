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
  public init(
    id: String, countryCode: String? = nil, segments: [String] = [], attributes: [String: FlagValue] = [:]
  ) {
    storage = Storage(id: id, countryCode: countryCode, segments: segments, attributes: attributes)
  }

  /// Creates a user with attributes that are plain values, such as `["plan": plan, "age": 42]`.
  public init(
    id: String, countryCode: String? = nil, segments: [String] = [], attributes: [String: any FlagAttribute]
  ) {
    self.init(
      id: id, countryCode: countryCode, segments: segments, attributes: attributes.mapValues(\.attributeValue))
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

  /// The segments as rules see them, converted once.
  var segmentValues: FlagValue { storage.segmentValues }

  private final class Storage: Sendable {
    let id: String
    let countryCode: String?
    let segments: [String]
    let attributes: [String: FlagValue]
    let segmentValues: FlagValue

    init(id: String, countryCode: String?, segments: [String], attributes: [String: FlagValue]) {
      self.id = id
      self.countryCode = countryCode
      self.segments = segments
      self.attributes = attributes
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
  }

  /// Feeds the user's id to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
