#if canImport(SwiftUI)
  public import FlagDomain
  public import SwiftUI

  extension FeatureFlagClient {
    /// Binds a flag to a control whose setter overrides it; a view that reads it is updated when the flag changes.
    ///
    /// - Parameters:
    ///   - flag: The flag.
    ///   - onError: Receives the error if an override cannot be stored; the flag then keeps its value.
    /// - Returns: A binding of the flag's value.
    @MainActor
    public func binding<F: FeatureFlag>(
      of flag: F, onError: @escaping @MainActor (FlagError) -> Void
    ) -> Binding<F.Value> where F.Value: Encodable {
      let manager = observedManager
      let overrides = overrides
      return Binding {
        manager.variation(for: flag)
      } set: { @MainActor value in
        do throws(FlagError) {
          try overrides.override(flag, with: value)
        } catch {
          onError(error)
        }
      }
    }
  }
#endif
