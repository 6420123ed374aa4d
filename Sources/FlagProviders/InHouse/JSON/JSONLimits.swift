/// How far documents and contexts may go before they are refused.
enum JSONLimits {
  /// The most levels of lists and records inside of each other, in a flag's entry and in a context.
  static let depth = 256
  /// The most levels of a list that is put into words, or made by a rule.
  static let textDepth = 64
}
