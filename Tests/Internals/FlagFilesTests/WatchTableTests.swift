import Testing

@testable import FlagFiles

@Suite("Who waits for what")
struct WatchTableTests {
  private var table = WatchTable<String>()
  private let inOne = Watch(number: 1, name: "flags.json")

  @Test("An event goes to those who wait for its name; one of the directory itself, to all of that directory")
  mutating func finds() {
    table.add(inOne, for: "a")
    table.add(Watch(number: 1, name: "other"), for: "b")
    table.add(Watch(number: 2, name: "flags.json"), for: "c")
    #expect(table.listeners(for: .changed(1, "flags.json")) == ["a"])
    #expect(table.listeners(for: .changed(1, "unknown")) == [])
    #expect(table.listeners(for: .changed(1, "")) == ["a", "b"])
    #expect(table.listeners(for: .changed(3, "")) == [])
  }

  @Test("Where events were lost, everyone is told")
  mutating func tellsAll() {
    table.add(inOne, for: "a")
    table.add(Watch(number: 2, name: ""), for: "b")
    #expect(table.listeners(for: .changed(nil, "")) == ["a", "b"])
  }

  @Test("A watch ends when the last listener no longer needs it")
  mutating func counts() {
    for listener in ["a", "b"] {
      table.add(inOne, for: listener)
      table.add(inOne, for: listener)
      table.add(Watch(number: 2, name: listener), for: listener)
    }
    #expect(table.keep([inOne], for: "a") == [])
    #expect(table.keep([], for: "a") == [])
    #expect(table.keep([inOne], for: "b") == [2])
    #expect(table.keep([], for: "b") == [1])
    #expect(table.keep([], for: "b") == [])
    #expect(table.isEmpty)
  }

  @Test("A watch that the system has ended is nobody's any more")
  mutating func ends() {
    table.add(inOne, for: "a")
    table.add(Watch(number: 1, name: ""), for: "b")
    table.end(1)
    table.end(2)
    #expect(table.listeners(for: .changed(1, "")) == [])
    #expect(table.keep([], for: "a") == [])
    #expect(table.isEmpty)
  }
}

#if os(Linux)
  @Suite("Reading inotify's events")
  struct InotifyEventTests {
    @Test("Events follow each other, with names that are filled up by zeros")
    func reads() {
      let buffer = event(3, mask: 0x100, "flags.json") + event(4, mask: 2, "") + event(5, mask: 0x8000, "")
      #expect(
        WatchEvent.events(in: buffer[...]) == [
          .changed(3, "flags.json"), WatchEvent(kind: .modified, number: 4, name: ""),
          WatchEvent(kind: .ended, number: 5, name: ""),
        ])
    }

    @Test("An overflow is an event of no number, after which writers that keep a file open are given time")
    func readsOverflow() {
      let lost = WatchEvent(kind: .modified, number: nil, name: "")
      #expect(WatchEvent.events(in: event(-1, mask: 0x4000, "")[...]) == [lost])
    }

    @Test("A buffer that ends within an event is no trap", arguments: 0..<32)
    func survivesCuts(length: Int) {
      let events = WatchEvent.events(in: event(3, mask: 2, "flags.json").prefix(length))
      #expect(events.count == (length < 16 ? 0 : 1))
    }

    private func event(_ number: Int32, mask: UInt32, _ name: String) -> [UInt8] {
      let filled = name.isEmpty ? [] : Array(name.utf8) + Array(repeating: 0, count: 16 - name.utf8.count % 16)
      return [UInt32(bitPattern: number), mask, 0, UInt32(filled.count)].flatMap { field in
        withUnsafeBytes(of: field) { Array($0) }
      } + filled
    }
  }
#endif

extension WatchEvent {
  fileprivate static func changed(_ number: Int32?, _ name: String) -> WatchEvent {
    WatchEvent(kind: .changed, number: number, name: name)
  }
}
