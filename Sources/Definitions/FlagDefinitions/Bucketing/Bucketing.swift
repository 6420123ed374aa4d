import FlagDomain

/// The encoding of a context into the bytes whose hash assigns a user to a bucket.
public enum Bucketing: String, Sendable, CaseIterable {
  /// The UTF-8 bytes of a string, or of the flag's key and the targeting key, one after the other.
  case v2
  /// The deterministic CBOR encoding of any value, or of an array of the flag's key and the targeting key.
  case v3
}

extension Murmur3 {
  /// Creates the hash of a flag key, to which the targeting key is added to choose a share.
  init(flagKey: borrowing BorrowedBytes, bucketing: Bucketing) {
    switch bucketing {
    case .v2:
      self.init()
      write(flagKey)
    case .v3:
      // An array of two strings.
      var encoder = CBOREncoder(into: Murmur3())
      encoder.writeArrayHead(count: 2)
      encoder.writeTextHead(count: flagKey.count)
      self = encoder.sink
      write(flagKey)
    }
  }

  /// Returns the hash of the flag's key followed by the targeting key.
  func value(withTargetingKey key: String, bucketing: Bucketing) -> UInt32 {
    var hash = self
    if bucketing == .v3 {
      var encoder = CBOREncoder(into: hash)
      encoder.writeTextHead(count: key.utf8.count)
      hash = encoder.sink
    }
    hash.write(key)
    return hash.value
  }
}
