import FlagDefinitions
import FlagDomain

/// The hash that assigns users to buckets: FNV-1a over UTF-16, with a seed.
///
/// Version 1 has 1,000 buckets and hashes the value before the seed; version 2 has 10,000, hashes the value after the
/// seed, and hashes the result once more.
struct BucketHash: Sendable {
  private let version: Int
  private let seed: String
  /// The hash of the seed alone, with which version 2 begins.
  private let start: UInt32

  init(seed: String, version: Int) {
    self.seed = seed
    self.version = version
    start = version == 2 ? FNV1a.hash(seed) : FNV1a.offset
  }

  /// Returns the bucket of a value: a number from 0 up to, but not including, 1; nil if the version is unknown.
  func bucket(of value: String) -> Double? {
    switch version {
    case 1:
      let hash = FNV1a.hash(seed, after: FNV1a.hash(value))
      return Double(hash % 1_000) / 1_000
    case 2:
      let hash = FNV1a.hash(digitsOf: FNV1a.hash(value, after: start))
      return Double(hash % 10_000) / 10_000
    default: return nil
    }
  }
}

/// The 32-bit hash FNV-1a, one step for each UTF-16 code unit.
private enum FNV1a {
  static let offset: UInt32 = 0x811c_9dc5
  private static let prime: UInt32 = 0x0100_0193

  static func hash(_ text: String, after start: UInt32 = offset) -> UInt32 {
    let ascii = text.withBytesIfContiguous { bytes -> UInt32? in
      var (hash, place) = (start, 0)
      while place < bytes.count {
        let byte = bytes[place]
        guard byte < 0x80 else { return nil }
        hash = (hash ^ UInt32(byte)) &* prime
        place += 1
      }
      return hash
    }
    if let hash = ascii ?? nil { return hash }
    return text.utf16.reduce(start) { ($0 ^ UInt32($1)) &* prime }
  }

  /// Returns the hash of a number's decimal digits.
  static func hash(digitsOf number: UInt32) -> UInt32 {
    var divisor: UInt32 = 1_000_000_000
    while divisor > 1, number < divisor { divisor /= 10 }
    var hash = offset
    while divisor > 0 {
      hash = (hash ^ (number / divisor % 10 + 0x30)) &* prime
      divisor /= 10
    }
    return hash
  }
}
