/// The settings of evaluations that are not in a document.
public struct GrowthBookSettings: Hashable, Sendable {
  /// The names of attributes of a context by those in conditions, for the ones whose names differ.
  ///
  /// By default, `id` is the targeting key, and `country` the user's country code.
  public var attributeNames = ["id": "targetingKey", "country": "countryCode"]
  /// The name of the attribute with the address of the page, for experiments on pages; nil for an app without pages.
  ///
  /// A query of the address that has an experiment's key chooses the variation, as in `?checkout=1`.
  public var addressAttribute: String? = "url"
  /// Whether experiments are run.
  public var isEnabled = true
  /// Whether experiments only give variations that are chosen by hand.
  public var isQAMode = false
  /// The numbers of variations that are chosen by hand, by the keys of experiments.
  public var forcedVariations: [String: Int] = [:]
  /// The groups of the user, for experiments that ask for one.
  public var groups: Set<String> = []

  /// Creates the default settings.
  public init() {}
}

extension GrowthBookSettings {
  /// Returns the name that an attribute of conditions has in a context.
  func contextName(of attribute: String) -> String { attributeNames[attribute] ?? attribute }
}
