/// Whoever is signed in, as targeting rules see them.
public struct User: Hashable, Sendable {
  /// What identifies the user; rules see it as `targetingKey`.
  public let id: String
  /// The user's country, as an ISO 3166 code where the app uses those; rules see it as `countryCode`.
  public let countryCode: String?
  /// The groups that the user belongs to; rules see them as `segments`.
  public let segments: [String]
  /// Anything else that rules may ask for; a name above counts before the same name here.
  public let attributes: [String: FlagValue]

  /// The segments as rules see them, made once.
  let segmentValues: FlagValue

  /// Creates a user.
  public init(
    id: String, countryCode: String? = nil, segments: [String] = [], attributes: [String: FlagValue] = [:]
  ) {
    self.id = id
    self.countryCode = countryCode
    self.segments = segments
    self.attributes = attributes
    segmentValues = .array(segments.map(FlagValue.string))
  }
}
