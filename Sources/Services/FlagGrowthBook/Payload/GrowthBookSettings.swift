/// The settings of evaluations that are not in a document.
public struct GrowthBookSettings: Hashable, Sendable {
  /// The names of attributes of a context by those in conditions, for the ones whose names differ.
  ///
  /// By default, `id` is the targeting key, and `country` the user's country code.
  public var attributeNames = ["id": "targetingKey", "country": "countryCode"]
  /// Whether experiments are run.
  public var isEnabled = true
  /// Whether experiments only give variations that are chosen by hand.
  public var isQAMode = false
  /// The numbers of variations that are chosen by hand, by the keys of experiments.
  public var forcedVariations: [String: Int] = [:]

  /// Creates the default settings.
  public init() {}

  /// Returns the name that an attribute of conditions has in a context.
  func contextName(of attribute: String) -> String { attributeNames[attribute] ?? attribute }
}
