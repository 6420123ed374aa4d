import Foundation
import Synchronization

extension Measures {
  /// The measures to compare flags with.
  static var reference: [Measure] {
    [
      Measure(baseline) {
        let dictionary = switches
        let probe = Probe()
        return Workload { count in
          let key = probe.nextKey()
          for _ in 0..<count { blackHole(dictionary[key]) }
        }
      },
      lookUp("reference.texts") { "text of \($0)" },
      lookUp("reference.arrays") { [$0] },
      lookUp("reference.structures") { Layout(columns: 2, title: "text of \($0)", tags: [$0]) },
      copy("reference.copy.text") { "text of \($0)" },
      copy("reference.copy.structure") { Layout(columns: 2, title: "text of \($0)", tags: [$0]) },
      Measure("reference.atomic") {
        let atomic = AtomicSwitch()
        return Workload { count in
          for _ in 0..<count { blackHole(atomic.isOn.load(ordering: .acquiring)) }
        }
      },
      Measure("reference.mutex-dictionary") {
        let guarded = GuardedSwitches(switches)
        let probe = Probe()
        return Workload { count in
          let key = probe.nextKey()
          for _ in 0..<count { blackHole(guarded.switches.withLock { $0[key] }) }
        }
      },
      Measure("reference.user-defaults") {
        let key = Probe().nextKey()
        UserDefaults.standard.register(defaults: [key: true])
        return Workload { count in
          let defaults = UserDefaults.standard
          for _ in 0..<count { blackHole(defaults.bool(forKey: key)) }
        }
      },
    ]
  }

  /// Returns the measure of a lookup like the baseline's, whose values have references.
  ///
  /// The values are made from their keys: the runtime does not count the references of literals, but counts those of a
  /// flag's value.
  private static func lookUp<Value: Sendable>(
    _ name: String, of value: @escaping @Sendable (String) -> Value
  ) -> Measure {
    Measure(name) {
      let dictionary = Dictionary(uniqueKeysWithValues: switches.keys.map { ($0, value($0)) })
      let probe = Probe()
      return Workload { count in
        let key = probe.nextKey()
        for _ in 0..<count { blackHole(dictionary[key]) }
      }
    }
  }

  /// Returns the measure of copying a value: its references are counted up and down, as for any reader, and no more.
  private static func copy<Value: Sendable>(
    _ name: String, of value: @escaping @Sendable (String) -> Value
  ) -> Measure {
    Measure(name) {
      let held = value(Probe().nextKey())
      return Workload { count in
        for _ in 0..<count { blackHole(copy held) }
      }
    }
  }

  /// A dictionary of a thousand switches, under keys of twenty bytes.
  private static var switches: [String: Bool] {
    Dictionary(uniqueKeysWithValues: (0..<1000).map { (Probe.key($0), $0 % 2 == 0) })
  }
}

/// A sequence of keys, one for each batch, so that no result depends on the position of one key in the table.
private final class Probe: Sendable {
  private let keys = (0..<1000).map(Probe.key)
  private let batches = Atomic(0)

  func nextKey() -> String { keys[batches.add(1, ordering: .relaxed).newValue % keys.count] }

  static func key(_ number: Int) -> String { "feed.flag-number-\(String(number + 1000).suffix(3))" }
}

private final class AtomicSwitch: Sendable {
  let isOn = Atomic(true)
}

private final class GuardedSwitches: Sendable {
  let switches: Mutex<[String: Bool]>

  init(_ switches: [String: Bool]) { self.switches = Mutex(switches) }
}
