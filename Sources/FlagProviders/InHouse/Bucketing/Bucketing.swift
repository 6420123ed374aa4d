/// Which bytes of a context decide a user's bucket, where a rule splits users into shares.
public enum Bucketing: String, Sendable, CaseIterable {
  /// The UTF-8 bytes of a string, or of the flag's key and the targeting key, one after the other.
  case v2
  /// The deterministic CBOR encoding of any value, or of a list of the flag's key and the targeting key.
  case v3
}
