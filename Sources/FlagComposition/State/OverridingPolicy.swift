public import FlagDomain

/// Where overrides, stored ones and launch arguments, have an effect.
public struct OverridingPolicy: Sendable {
  /// Whether overrides have an effect on reads in a context; nil if they always have.
  let condition: (@Sendable (EvaluationContext) -> Bool)?

  /// Overrides always have an effect.
  public static let always = OverridingPolicy(condition: nil)

  /// Overrides never have an effect, and setting one throws: what a debug build has stored does not reach a release.
  public static let never = when { _ in false }

  /// Overrides have an effect where a closure says so.
  ///
  /// It is asked again whenever the user or an attribute changes. It is called on any thread that reads or sets, must
  /// be fast, and must not read flags.
  public static func when(_ condition: @escaping @Sendable (EvaluationContext) -> Bool) -> OverridingPolicy {
    OverridingPolicy(condition: condition)
  }

  func allows(_ context: EvaluationContext) -> Bool { condition?(context) ?? true }
}
