import FlagCLI
import FlagDefinitions
import FlagPublishing
import Foundation
import TestSupport
import Testing

@Suite("flagctl serve over published definitions", .timeLimit(.minutes(15)), .needs(.bash), .needs(.curl))
struct ServeFleetTests {
  @Test("Several sets are served as one, the later one's flags counting, and each change is served")
  func merges() async throws {
    let fleet = MemoryFleet()
    let server = try await RunningServer([:], Self.words(["base", "shop"])) { fleet.connect(&$0) }
    #expect(try await Self.status(server, "readyz") == "503", "nothing has been published yet")
    try await Self.publish(Self.document(["a": 1, "b": 1]), to: fleet.store("base"))
    try await Self.publish(Self.document(["b": 2]), to: fleet.store("shop"))
    #expect(try await Self.status(server, "readyz") == "200")
    #expect(try await Self.flags(server) == ["a": 1, "b": 2])
    try await Self.publish(Self.document(["b": 3]), to: fleet.store("shop"))
    #expect(try await Self.flags(server) == ["a": 1, "b": 3])
    #expect(server.errors.contains("flagctl: shop: revision 2 is served\n"))
    #expect(await server.end() == 0)
  }

  @Test("A server takes part in candidates under its name, and reports until it ends")
  func takesPart() async throws {
    let fleet = MemoryFleet()
    let store = fleet.store("shop")
    try await Self.publish(Self.document(["a": 1]), to: store)
    // For revision 2, the hash puts the server "a" below 30 %, and "web-1" above.
    let servers = [
      try await RunningServer([:], Self.words(["shop"]) + ["--server=a"]) { fleet.connect(&$0) },
      try await RunningServer([:], Self.words(["shop"])) { terminal in
        fleet.connect(&terminal)
        terminal.hostName = "web-1"
      },
    ]
    try await Self.publish(Self.document(["a": 2]), to: store, percent: 30)
    #expect(try await Self.flags(servers[0]) == ["a": 2])
    #expect(try await Self.flags(servers[1]) == ["a": 1])
    #expect(try await store.servers().map { "\($0.name) \($0.revision ?? 0)" } == ["a 2", "web-1 1"])
    #expect(fleet.addresses.map(\.server) == ["a", "web-1"])
    for server in servers { #expect(await server.end() == 0) }
    #expect(try await store.servers() == [], "each has taken its report back")
  }

  private static func words(_ sets: [String]) -> [String] { ["--etcd=https://etcd:2379"] + sets.map { "--set=\($0)" } }

  private static func publish(_ text: String, to store: InMemoryPublishedStore, percent: Int? = nil) async throws {
    try await store.publish(
      Array(text.utf8), expecting: try await store.head(), percent: percent, note: PublicationNote(author: "ana"))
  }

  private static func document(_ flags: [String: Int]) -> String {
    let flags = flags.map { #""\#($0)": {"state": "ENABLED", "variants": {"on": \#($1)}, "defaultVariant": "on"}"# }
    return #"{"flags": {\#(flags.joined(separator: ", "))}}"#
  }

  private static func status(_ server: RunningServer, _ path: String) async throws -> String {
    try await server.shell("curl -s -o /dev/null -w '%{http_code}' $URL/\(path)")
  }

  /// Returns the flags that are served, with their values.
  private static func flags(_ server: RunningServer) async throws -> [String: Int] {
    struct Document: Decodable {
      struct Flag: Decodable { let variants: [String: Int] }
      let flags: [String: Flag]
    }
    let data = Data(try await server.shell("curl -s $URL/flags.json").utf8)
    return try JSONDecoder().decode(Document.self, from: data).flags.mapValues { $0.variants["on"] ?? 0 }
  }
}
