import FlagDomain

/// A distribution of contexts over variations, by a hash of their keys.
struct Rollout: Sendable {
  struct Share: Sendable {
    let variation: Int
    /// The end of the share; it begins at the end of the one before.
    let end: Double
    /// Whether those in the share are in no experiment.
    let isUntracked: Bool
  }

  let shares: [Share]
  let isExperiment: Bool
  let bucketer: Bucketer
}

extension LaunchDarklyFlag.Choice {
  /// The attribute whose values an experiment counts, if it is not about users: the key of another context.
  var unitAttribute: String? {
    guard case .rollout(let rollout) = self, rollout.isExperiment, case .other(let kind) = rollout.bucketer.kind else {
      return nil
    }
    return "\(kind).key"
  }
}

/// The way in which contexts get a number from 0 to 1.
struct Bucketer: Sendable {
  let kind: ContextKind
  /// The attribute that is hashed, or the reason why there is none.
  let attribute: Result<AttributeReference, AttributeReference.Malformed>
  /// The hash of all that comes before the attribute.
  let hash: SHA1
}

/// The number of a context from 0 to 1.
enum Bucket {
  case value(Double)
  /// There is no context of the kind; it counts as before all others.
  case noContext

  var position: Double {
    switch self {
    case .value(let value): value
    case .noContext: -1
    }
  }
}

extension Bucketer {
  /// Creates a bucketing by a seed, or without one by the key and salt of the flag or segment.
  init(
    _ kind: ContextKind, by attribute: Result<AttributeReference, AttributeReference.Malformed>, seed: Int128?,
    key: String, salt: String
  ) {
    var hash = SHA1()
    if let seed {
      hash.append(String(seed))
    } else {
      hash.append(key)
      hash.append(".")
      hash.append(salt)
    }
    hash.append(".")
    (self.kind, self.attribute, self.hash) = (kind, attribute, hash)
  }

  /// Returns the bucket of a context; a value that is neither a text nor a whole number has the bucket 0.
  func bucket(of context: EvaluationContext) throws(AttributeReference.Malformed) -> Bucket {
    guard context.key(of: kind) != nil else { return .noContext }
    switch context.value(of: try attribute.get(), in: kind) {
    case .string(let text)?: return .value(bucket(of: text))
    case .int(let number)?: return .value(bucket(of: String(number)))
    case .double(let number, _)?:
      return .value(Int64(exactly: number).map { bucket(of: String($0)) } ?? 0)
    case nil, .null?, .bool?, .array?, .object?: return .value(0)
    }
  }

  /// Returns the first 60 bits of the hash, as a part of the largest such number.
  private func bucket(of text: String) -> Double {
    var hash = hash
    hash.append(text)
    return Double(hash.firstWord() >> 4) / Double(0xfff_ffff_ffff_ffff as UInt64)
  }
}
