import TestSupport
import Testing

@testable import FlagProviders

@Suite("Versioned map")
struct VersionedMapTests {
  @Test(
    "Random changes give what a dictionary gives, in every version, whatever the hashes have in common",
    arguments: [Int.max, 16, 1, 0])
  func matchesDictionaries(hashes: Int) {
    var random = SeededGenerator(seed: 49)
    var (map, plain) = (VersionedMap<Key, Int>(), [Key: Int]())
    var versions: [(map: VersionedMap<Key, Int>, plain: [Key: Int])] = []
    for step in 0..<3000 {
      let key = Key(number: Int.random(in: 0..<200, using: &random), hashes: hashes)
      let value: Int? = Bool.random(using: &random) ? step : nil
      (map[key], plain[key]) = (value, value)
      #expect(map[key] == value)
      if step % 100 == 0 { versions.append((map, plain)) }
    }
    for version in versions {
      #expect(version.map.entries == version.plain)
      #expect(VersionedMap(version.plain).entries == version.plain)
    }
  }

  /// A key with one of a number of hashes.
  private struct Key: Hashable {
    let number: Int
    let hashes: Int

    func hash(into hasher: inout Hasher) { hasher.combine(hashes == 0 ? 0 : number % hashes) }
  }
}
