/// Whoever is signed in, as targeting rules see them.
///
/// The value is one reference, cheap to copy.
public struct User: Sendable {
  private let storage: Storage

  /// Creates a user.
  ///
  /// - Parameters:
  ///   - id: What identifies the user; rules see it as `targetingKey`.
  ///   - countryCode: The user's country, as an ISO 3166 code where the app uses those; rules see it as `countryCode`.
  ///   - segments: The groups that the user belongs to; rules see them as `segments`.
  ///   - attributes: Anything else that rules may ask for; a name above counts before the same name here.
  public init(
    id: String, countryCode: String? = nil, segments: [String] = [], attributes: [String: FlagValue] = [:]
  ) {
    storage = Storage(id: id, countryCode: countryCode, segments: segments, attributes: attributes)
  }
}

extension User {
  /// What identifies the user; rules see it as `targetingKey`.
  public var id: String { storage.id }
  /// The user's country, or nil; rules see it as `countryCode`.
  public var countryCode: String? { storage.countryCode }
  /// The groups that the user belongs to; rules see them as `segments`.
  public var segments: [String] { storage.segments }
  /// Anything else that rules may ask for; a name above counts before the same name here.
  public var attributes: [String: FlagValue] { storage.attributes }

  /// The segments as rules see them, made once.
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

extension User: Hashable {
  /// Returns whether two users have the same id and say the same of themselves.
  public static func == (left: User, right: User) -> Bool {
    left.storage === right.storage
      || left.id == right.id && left.countryCode == right.countryCode && left.segments == right.segments
        && left.attributes == right.attributes
  }

  /// Feeds the user's id to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
