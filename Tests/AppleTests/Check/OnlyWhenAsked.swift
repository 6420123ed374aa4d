import Foundation
import Testing

extension Trait where Self == ConditionTrait {
  /// Runs a test that takes minutes only if the environment asks for it.
  static var whenAsked: ConditionTrait {
    .enabled(
      if: ProcessInfo.processInfo.environment["FLAGS_APPLE"] == "1",
      "takes two minutes: FLAGS_APPLE=1 swift test --filter AppleTests, as in .ci/run")
  }
}
