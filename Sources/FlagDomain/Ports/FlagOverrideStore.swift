/// Keeps overrides from one start of the program to the next.
///
/// Every requirement may be called from any thread; the composition makes one call at a time.
public protocol FlagOverrideStore: Sendable {
  /// Returns every stored override.
  ///
  /// - Throws: An error that says where and what, when the stored form cannot be read. Nothing stored is lost by it.
  func load() throws(FlagError) -> [FlagKey: FlagValue]

  /// Stores overrides, and deletes those whose value is nil: all of them, or none.
  ///
  /// - Throws: An error that says what failed; then what was stored stands.
  func write(_ values: [FlagKey: FlagValue?]) throws(FlagError)
}
