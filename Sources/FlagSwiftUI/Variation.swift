#if canImport(SwiftUI)
  public import FlagDomain
  public import SwiftUI

  /// A property wrapper that reads a flag in a view, and updates the view when the flag changes.
  ///
  /// ```swift
  /// struct FeedView: View {
  ///   @Variation(FeedFlags.flags.pageSize) private var pageSize
  /// }
  /// FeedScreen().flags(client.observedManager)
  /// ```
  ///
  /// The value is read while SwiftUI evaluates the view's body, from the manager of the environment. No change is
  /// missed if the manager reports its reads to Observation, as a client's `observedManager` does. In a preview without
  /// a manager, flags have their defaults.
  @MainActor @propertyWrapper
  public struct Variation<F: FeatureFlag>: DynamicProperty {
    @Environment(\.flags) private var manager
    private let flag: F

    /// Creates a wrapper that reads a flag.
    public init(_ flag: F) { self.flag = flag }

    /// The flag's value.
    public var wrappedValue: F.Value { manager.variation(for: flag) }
  }

  extension EnvironmentValues {
    /// The manager that views read flags from; if none is set, flags have their defaults.
    public var flags: any FeatureFlagManager {
      get { self[FlagManagerKey.self] }
      set { self[FlagManagerKey.self] = newValue }
    }
  }

  private struct FlagManagerKey: EnvironmentKey {
    static let defaultValue: any FeatureFlagManager = FixedFlags()
  }

  extension View {
    /// Sets the manager that this view and its subviews read flags from.
    public func flags(_ manager: any FeatureFlagManager) -> some View { environment(\.flags, manager) }
  }
#endif
