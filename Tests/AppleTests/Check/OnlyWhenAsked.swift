import Foundation
import Testing

extension Trait where Self == ConditionTrait {
  /// Runs what takes a minute and more only where it is asked for.
  static var whenAsked: ConditionTrait {
    .enabled(
      if: ProcessInfo.processInfo.environment["FLAGS_APPLE"] == "1",
      "it takes a minute and more: FLAGS_APPLE=1 swift test --filter AppleTests, as .ci/run does")
  }
}
