import FlagDefinitions
import FlagDomain
import FlagJSON
import FlagReview

/// The flags of a vendor's document in the in-house format, and what does not carry over.
struct Conversion {
  private var flags: [(key: String, flag: ConvertedFlag)] = []
  /// The reasons why flags are left out.
  private var omitted: [(key: String, reason: String)] = []

  init(_ flags: [(key: String, flag: Result<ConvertedFlag, Untranslatable>)]) {
    for (key, result) in flags {
      switch result {
      case .success(let flag): self.flags.append((key, flag))
      case .failure(let error): omitted.append((key, error.reason))
      }
    }
  }

  var exitCode: ExitCode { omitted.isEmpty ? flags.contains(where: \.flag.hasShares) ? .changed : .success : .data }

  /// Returns the document, without the flags that the format refuses, or that give a user another variant although they
  /// have no shares: users with the values in the rules are asked.
  mutating func definitions(
    replacing old: StoredDefinitions, at seconds: Int64
  ) throws -> StoredDefinitions {
    let refused = FlagDocument.diagnostics(in: text)
    leaveOut { key, _ in
      refused.first { $0.severity == .error && $0.concerns(key) }.map {
        "the in-house format refuses it: \($0.message)"
      }
    }
    let new = try StoredDefinitions(parsing: text)
    let keys = flags.map(\.key)
    let effects = try DefinitionComparison(from: old, to: new).effects(of: keys, at: seconds)
    let found = Dictionary(zip(keys, effects)) { first, _ in first }
    leaveOut { key, flag in
      guard let effect = found[key], !flag.hasShares, effect.affectsUsers == true else { return nil }
      guard let user = effect.examples.first else { return "everyone would get another variant" }
      return "a user with \(FlagValue.object(user.attributes).printed) would get another variant"
    }
    return try StoredDefinitions(parsing: text)
  }

  private mutating func leaveOut(_ reason: (String, ConvertedFlag) -> String?) {
    flags.removeAll { key, flag in
      guard let reason = reason(key, flag) else { return false }
      omitted.append((key, reason))
      return true
    }
  }

  /// The document, with a line for each flag.
  private var text: [UInt8] {
    let lines = flags.map { key, flag in "    \(FlagValue.string(key).printed): \(flag.definition.printed)" }
    return Array("{\n  \"flags\": {\n\(lines.joined(separator: ",\n"))\n  }\n}\n".utf8)
  }

  /// Returns what does not carry over, in lines.
  func report(of path: String) -> [String] {
    let moved = flags.filter(\.flag.hasShares)
    let kept = flags.count - moved.count
    return omitted.map { "\(path): \($0.key.excerpt): left out: \($0.reason)" }
      + moved.map { "\(path): \($0.key.excerpt): chooses its shares anew" }
      + [
        "\(path): \(kept.counted("flag as it is", "flags as they are")), \(moved.count) with shares chosen anew, "
          + "\(omitted.count) left out"
      ]
  }
}
