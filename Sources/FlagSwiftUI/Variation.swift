#if canImport(SwiftUI)
  public import FlagDomain
  public import SwiftUI

  /// The value of a flag in a view, which is updated when the flag changes.
  ///
  /// ```swift
  /// struct FeedView: View {
  ///   @Variation(FeedFlags.flags.pageSize) private var pageSize
  /// }
  /// FeedScreen().flags(client.trackedManager)
  /// ```
  ///
  /// The value is read while SwiftUI evaluates the view's body, from the manager of the environment. A manager that
  /// tells Observation of its reads, as a client's `trackedManager` does, so leaves no moment in which a change is
  /// missed. In a preview without a manager, flags have their defaults.
  @MainActor @propertyWrapper
  public struct Variation<F: FeatureFlag>: DynamicProperty {
    @Environment(\.flags) private var manager
    private let flag: F

    /// Creates the value of a flag.
    public init(_ flag: F) { self.flag = flag }

    /// The flag's value.
    public var wrappedValue: F.Value { manager.variation(for: flag) }
  }

  extension EnvironmentValues {
    /// Reads flags; without one that is set, flags have their defaults.
    public var flags: any FeatureFlagManager {
      get { self[FlagManagerKey.self] }
      set { self[FlagManagerKey.self] = newValue }
    }
  }

  private struct FlagManagerKey: EnvironmentKey {
    static let defaultValue: any FeatureFlagManager = FixedFlags()
  }

  extension View {
    /// Has this view, and those in it, read flags from a manager.
    public func flags(_ manager: any FeatureFlagManager) -> some View { environment(\.flags, manager) }
  }
#endif
