package import FlagDomain

extension ProviderSnapshot {
  /// Returns the value for a user, if there is a usable one.
  package func value(of key: FlagKey, for user: FlagUser? = nil) -> FlagValue? {
    do throws(FlagError) {
      return try answer(for: key, in: EvaluationContext(user: user))?.value
    } catch {
      return nil
    }
  }
}
