import FlagDefinitions
import FlagDomain
import FlagProviders
import Foundation
import Observation
import Synchronization

@testable import FlagComposition

/// A client that is read and changed in every way there is; whatever is read is one of what was ever written.
struct AllAtOnce: Sendable {
  let flags: FeatureFlagClient
  private let memory = InMemoryProvider(name: "memory", Self.values(0))
  private let house: InHouseProvider
  private let documents: [FlagDocument]

  private let number = Flag("all-number", default: 0, "")
  private let text = Flag("all-text", default: "0 is a default of more than fifteen bytes", "")
  private let texts = Flag("all-texts", default: ["0 is a default of more than fifteen bytes"], "")
  private let model = Flag("all-model", default: Model(text: "0 is a default of more than fifteen bytes"), "")
  private let ruled = Flag("all-ruled", default: "none", "")
  private let computed = Flag("all-computed", default: "none", "") { $0.user?.id }
  private let late = Flag("all-late", default: 0, FlagMetadata(requiresRestart: true))

  private final class Model: Codable, Sendable {
    let text: String
    init(text: String) { self.text = text }
  }

  init() throws {
    documents = try (0..<4).map(Self.document)
    house = InHouseProvider(documents[0])
    let (memory, house) = (memory, house)
    flags = try FeatureFlagClient(catalogs: [], configuration: .init { $0.keys = KeyStyle() }) {
      memory
      house.prefixed(with: "of", separator: "-")
    }
  }

  private static func values(_ number: Int) -> [FlagKey: FlagValue] {
    let text: FlagValue = .string("\(number) is a value of more than fifteen bytes")
    return [
      "all-number": .int(Int128(number)), "all-text": text, "all-texts": [text, text], "all-model": ["text": text],
      "all-late": .int(Int128(number)),
    ]
  }

  private static func document(_ number: Int) throws -> FlagDocument {
    try FlagDocument(
      parsing: Data(
        """
        {"flags": {"of-all-ruled": {"state": "ENABLED", "variants": {"a": "variant a of some length", "b": "short"},
        "defaultVariant": "a", "targeting": {"fractional": [["a", \(number + 1)], ["b", 2]]}}}}
        """.utf8))
  }
}

extension AllAtOnce {
  /// Reads in one of ten ways, and returns what was wrong.
  func read(_ way: Int) -> String? {
    switch way {
    case 0: return check(flags.manager)
    case 1: return check(flags.observedManager)
    case 2:
      return withObservationTracking {
        check(flags.observedManager)
      } onChange: {
      }
    case 3:
      let cut = flags.snapshots.snapshot()
      let (texts, text) = (cut.variation(for: texts), cut.variation(for: text))
      return texts.allSatisfy { $0 == text } ? check(cut) : "a cut of \(texts) and \(text)"
    case 4:
      let request = flags.manager(for: FlagUser(id: "request"))
      return request.variation(for: computed) == "request" ? check(request) : "a request for another"
    case 5:
      let following = flags.followingManager(for: FlagUser(id: "following"))
      return following.variation(for: computed) == "following" ? check(following) : "a manager for another"
    case 6:
      let resolution = flags.inspector.resolution(of: text)
      return resolution.value.isEmpty ? "an empty resolution" : nil
    case 7: return flags.inspector.answers(for: ruled).count <= 2 ? nil : "too many answers"
    case 8: return BoundFlag(number, in: flags.manager).value >= 0 ? nil : "a number that nobody wrote"
    default: return flags.overrides.overrideState(of: number).value >= 0 ? nil : "a state that nobody made"
    }
  }

  private func check(_ manager: any FeatureFlagManager) -> String? {
    let (number, text, texts) = (
      manager.variation(for: number), manager.variation(for: text), manager.variation(for: texts)
    )
    guard number >= 0, manager.variation(for: late) >= 0 else { return "the number \(number)" }
    guard isWhole(text), !texts.isEmpty, texts.allSatisfy({ $0 == texts[0] && isWhole($0) }) else {
      return "the texts \(text) and \(texts)"
    }
    guard isWhole(manager.variation(for: model).text) else { return "another model" }
    let ruled = manager.variation(for: ruled)
    return ["none", "short", "variant a of some length"].contains(ruled) ? nil : "the variant \(ruled)"
  }

  private func isWhole(_ text: String) -> Bool { text.hasSuffix("more than fifteen bytes") }

  /// Changes something in one of eight ways, and returns what was wrong.
  func change(_ way: Int, _ round: Int) -> String? {
    do {
      switch way {
      case 0: memory.write(Self.values(round))
      case 1: house.update(with: documents[round % documents.count])
      case 2: flags.authenticator.setUser(round % 2 == 0 ? nil : FlagUser(id: "user \(round)", countryCode: "es"))
      case 3: flags.context.setAttribute("version \(round)", for: "appVersion")
      case 4: try flags.overrides.override(number, with: round)
      case 5: try flags.overrides.clearOverrides()
      case 6: flags.setDefault(round, for: number)
      default:
        let (memory, house) = (memory, house)
        try flags.setProviders {
          if round % 4 != 0 { memory }
          house.prefixed(with: "of", separator: "-")
        }
      }
      return nil
    } catch {
      return "\(error)"
    }
  }
}
