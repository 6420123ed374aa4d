import FlagDomain
@testable import FlagServices
import FlagSupport
import Foundation
import TestSupport
import Testing

@Suite("What is kept of a service's answers")
struct CacheTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "flag-cache-\(UUID().uuidString)")
  private let key = CacheKey(["ofrep", "https://flags.example", "secret"], context: ["targetingKey": "ann"])
  private let body = Array("an answer\nof two lines".utf8)

  private func withCache<Result>(
    maximumAge: Duration = .seconds(100), _ body: (AnswerCache) throws -> Result
  ) throws -> Result {
    let result = Swift.Result { try body(AnswerCache(in: folder, maximumAge: maximumAge)) }
    if FileManager.default.fileExists(atPath: folder.path) { try FileManager.default.removeItem(at: folder) }
    return try result.get()
  }

  private var files: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasSuffix(".lock") }
    }
  }

  @Test(
    "The hash is that of the standard",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (String(repeating: "a", count: 63), "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"),
      (String(repeating: "a", count: 64), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
      (String(repeating: "a", count: 1000), "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"),
    ])
  func hashes(text: String, hash: String) {
    #expect(SHA256.hex(of: text.utf8) == hash)
  }

  @Test("An answer comes back as it was kept, until it is too old; nothing is made before")
  func keeps() throws {
    try withCache { cache in
      #expect(try cache.entry(for: key, now: 0) == nil)
      #expect(!FileManager.default.fileExists(atPath: folder.path))
      try cache.store(body, tag: "\"a\"", fetchedAt: 1000, for: key)
      let entry = CacheEntry(tag: "\"a\"", fetchedAt: 1000, body: body)
      #expect(try cache.entry(for: key, now: 1100) == entry)
      #expect(try cache.entry(for: key, now: 1101) == nil)
      #expect(try cache.entry(for: key, now: 940) == entry)
    }
  }

  @Test("An answer is nobody else's: each service, credential, user and attribute has its own")
  func separates() throws {
    try withCache { cache in
      try cache.store(body, tag: nil, fetchedAt: 1, for: key)
      let others = [
        CacheKey(["ofrep", "https://flags.example", "other"], context: ["targetingKey": "ann"]),
        CacheKey(["ofrep", "https://flags.example", "secret"], context: ["targetingKey": "bob"]),
        CacheKey(["ofrep", "https://flags.example", "secret"], context: ["targetingKey": "ann", "plan": "free"]),
        CacheKey(["ofrep", "https://flags.examplesecret"], context: ["targetingKey": "ann"]),
      ]
      #expect(Set(others + [key]).count == 5)
      for other in others { #expect(try cache.entry(for: other, now: 1) == nil) }
      // A file that was given another's name is refused.
      let own = folder.appending(path: "flags-\(key.name).cache")
      try FileManager.default.copyItem(at: own, to: folder.appending(path: "flags-\(others[1].name).cache"))
      #expect(throws: FlagError.self) { try cache.entry(for: others[1], now: 1) }
    }
  }

  @Test("Neither the name nor the content of a file says who asked, or by which secret")
  func keepsSecrets() throws {
    try withCache { cache in
      try cache.store(body, tag: nil, fetchedAt: 1, for: key)
      let name = try #require(try files.first)
      let content = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      for secret in ["ann", "secret", "flags.example"] { #expect(!"\(name)\(content)".contains(secret)) }
      let mode = try FileManager.default.attributesOfItem(atPath: folder.appending(path: name).path)[.posixPermissions]
      #expect(mode as? Int == 0o600)
    }
  }

  @Test("A file with any byte changed, or cut anywhere, is an error, and never an answer")
  func checks() throws {
    try withCache { cache in
      try cache.store(body, tag: "t", fetchedAt: 1, for: key)
      let file = folder.appending(path: try #require(try files.first))
      let good = try Data(contentsOf: file)
      for index in stride(from: 0, to: good.count, by: Effort.isThorough ? 1 : 5) {
        var bad = good
        bad[index] ^= 1
        try bad.write(to: file)
        #expect(throws: FlagError.self, "byte \(index)") { try cache.entry(for: key, now: 1) }
        try good.prefix(index).write(to: file)
        #expect(throws: FlagError.self, "length \(index)") { try cache.entry(for: key, now: 1) }
      }
      // A corrupt file is replaced.
      try cache.store(body, tag: "t", fetchedAt: 2, for: key)
      #expect(try cache.entry(for: key, now: 2)?.fetchedAt == 2)
    }
  }

  @Test("An older answer of another process does not replace a newer one; a confirmation renews it")
  func keepsNewest() throws {
    try withCache { cache in
      try cache.store(body, tag: "t", fetchedAt: 10, for: key)
      try cache.store([1], tag: "old", fetchedAt: 9, for: key)
      #expect(try cache.entry(for: key, now: 10)?.body == body)
      try cache.store(nil, tag: "t", fetchedAt: 20, for: key)
      #expect(try cache.entry(for: key, now: 20) == CacheEntry(tag: "t", fetchedAt: 20, body: body))
      try cache.store(nil, tag: "another", fetchedAt: 30, for: key)
      #expect(try cache.entry(for: key, now: 30)?.fetchedAt == 20)
    }
  }

  @Test("An answer of a clock that was ahead counts as one of now: it is served, replaced, and expires")
  func survivesClocks() throws {
    try withCache { cache in
      try cache.store(body, tag: "t", fetchedAt: 1_000_000, for: key)
      #expect(try cache.entry(for: key, now: 10) == CacheEntry(tag: "t", fetchedAt: 10, body: body))
      #expect(try cache.entry(for: key, now: 110)?.fetchedAt == 10)
      #expect(try cache.entry(for: key, now: 111) == nil)
      try cache.store(body, tag: "t", fetchedAt: 1_000_000, for: key)
      try cache.store([1], tag: "new", fetchedAt: 20, for: key)
      #expect(try cache.entry(for: key, now: 20) == CacheEntry(tag: "new", fetchedAt: 20, body: [1]))
      // Of users who are not here any more, too.
      try cache.store(body, tag: "t", fetchedAt: 1_000_000, for: key)
      let (bob, eve) = (CacheKey(["bob"], context: [:]), CacheKey(["eve"], context: [:]))
      try cache.store(body, tag: nil, fetchedAt: 30, for: bob)
      try cache.store(body, tag: nil, fetchedAt: 131, for: eve)
      #expect(try files.sorted() == ["flags-\(eve.name).cache"])
    }
  }

  @Test("An answer of a clock that was ahead is served where the folder cannot be written")
  func servesUnwritableAnswers() throws {
    try withCache { cache in
      try cache.store(body, tag: "t", fetchedAt: 1_000_000, for: key)
      // Nobody can lock the file, not even root.
      let lock = folder.appending(path: ".flags-\(key.name).cache.lock")
      try FileManager.default.createDirectory(at: lock, withIntermediateDirectories: false)
      #expect(throws: FlagError.self) { try cache.store(body, tag: "t", fetchedAt: 10, for: key) }
      #expect(try cache.entry(for: key, now: 10) == CacheEntry(tag: "t", fetchedAt: 10, body: body))
    }
  }

  @Test("A symbolic link in the place of an answer is not read, and replaced; its target stays as it is")
  func replacesLinks() throws {
    try withCache { cache in
      try cache.store(body, tag: "t", fetchedAt: 1, for: key)
      let file = folder.appending(path: "flags-\(key.name).cache")
      let target = folder.appending(path: "target")
      try FileManager.default.moveItem(at: file, to: target)
      try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
      #expect(try cache.entry(for: key, now: 1) == nil)
      try cache.store([1], tag: "new", fetchedAt: 2, for: key)
      #expect(try cache.entry(for: key, now: 2)?.body == [1])
      #expect(try String(contentsOf: target, encoding: .utf8).hasSuffix("an answer\nof two lines"))
    }
  }

  @Test("When another user's first answer is kept, answers that are too old are removed, and no other file")
  func removesExpired() throws {
    try withCache { cache in
      let (ann, bob, eve) = (
        key, CacheKey(["ofrep"], context: ["targetingKey": "bob"]), CacheKey(["eve"], context: [:])
      )
      try cache.store(body, tag: nil, fetchedAt: 1, for: ann)
      try cache.store(body, tag: nil, fetchedAt: 50, for: bob)
      try Data().write(to: folder.appending(path: "note.txt"))
      try Data("broken".utf8).write(to: folder.appending(path: "flags-\(String(repeating: "0", count: 64)).cache"))
      try cache.store(body, tag: nil, fetchedAt: 101, for: bob)
      #expect(try files.count == 4)  // 100 seconds are not too old, and this one was there before
      try cache.store(body, tag: nil, fetchedAt: 102, for: eve)
      #expect(
        try files.sorted()
          == [
            "flags-\(String(repeating: "0", count: 64)).cache", "flags-\(bob.name).cache", "flags-\(eve.name).cache",
            "note.txt",
          ].sorted())
    }
  }

  @Test("The newest answer for other attributes is the same service's, credentials' and user's")
  func findsNewest() throws {
    func key(_ identity: [String], _ id: String, _ plan: FlagValue) -> CacheKey {
      CacheKey(identity, of: ["user", .string(id)], context: ["targetingKey": .string(id), "plan": plan])
    }
    try withCache { cache in
      let new = key(["s", "secret"], "ann", "new")
      #expect(try cache.newestEntry(like: new, now: 0) == nil)
      for (number, plan) in ["a", "b", "c"].enumerated() {
        let time = [10, 30, 20][number]
        let other = key(["s", "secret"], "ann", .string(plan))
        try cache.store([UInt8(time)], tag: "t", fetchedAt: Int64(time), for: other)
      }
      try cache.store([99], tag: nil, fetchedAt: 40, for: key(["s", "secret"], "bob", "new"))
      try cache.store([99], tag: nil, fetchedAt: 40, for: key(["s", "other"], "ann", "new"))
      try cache.store([99], tag: nil, fetchedAt: 40, for: CacheKey(["s", "secret"], context: [:]))
      #expect(try cache.entry(for: new, now: 40) == nil)
      #expect(try cache.newestEntry(like: new, now: 40)?.body == [30])
      // One that cannot be read is passed over, and an error if there is no other.
      let newest = folder.appending(path: "flags-\(key(["s", "secret"], "ann", "b").name).cache")
      try Data("broken".utf8).write(to: newest)
      #expect(try cache.newestEntry(like: new, now: 40)?.body == [20])
      #expect(throws: FlagError.self) { try cache.newestEntry(like: new, now: 1000) }
    }
  }

  @Test("A folder that cannot be made is an error that names it")
  func refusesFolder() throws {
    try withCache { _ in
      try Data().write(to: folder)
      #expect(throws: FlagError.self) {
        try AnswerCache(in: folder.appending(path: "below")).store(body, tag: nil, fetchedAt: 1, for: key)
      }
    }
  }
}
