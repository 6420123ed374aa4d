import Foundation
import TestSupport
import Testing

@Suite("The guide's class for Objective-C", .whenAsked, .timeLimit(.minutes(5)))
struct ObjectiveCTests {
  @Test("It compiles for Objective-C, and what that language cannot represent does not")
  func compiles() async throws {
    let guide = try String(contentsOf: Checkout.root.appending(path: "Docs/Migrating.md"), encoding: .utf8)
    let block = try #require(guide.split(separator: "```").first { $0.contains("@objc(AppFeature)") })
    let code = Self.app + block.dropFirst("swift".count)
    #expect(try await Self.errors(in: code) == [])
    let wrong = code.replacing("isEnabled(_ name: String) -> Bool", with: "isEnabled(_ name: (String, Int)) -> Bool")
    #expect(try await Self.errors(in: wrong).contains { $0.contains("cannot be represented in Objective-C") })
  }

  private static let app = """
    import Foundation
    import FoundationClasses
    enum RemoteFeature: String { case blaze; func isEnabled() -> Bool { true } }

    """

  /// What Foundation has of Objective-C: its root class, and strings that become its own.
  private static let header = """
    __attribute__((objc_root_class)) @interface NSObject
    - (instancetype)init;
    @end
    @interface NSString : NSObject
    @end
    """

  private static let overlay = """
    public import FoundationClasses
    extension String: @retroactive _ObjectiveCBridgeable {
      public func _bridgeToObjectiveC() -> NSString { fatalError() }
      public static func _forceBridgeFromObjectiveC(_ text: NSString, result: inout String?) {}
      public static func _conditionallyBridgeFromObjectiveC(_ text: NSString, result: inout String?) -> Bool { false }
      public static func _unconditionallyBridgeFromObjectiveC(_ text: NSString?) -> String { "" }
    }
    """

  private static func errors(in code: String) async throws -> [String] {
    let folder = try TemporaryFolder()
    let files = [
      "classes.h": header, "module.modulemap": #"module FoundationClasses { header "classes.h" export * }"#,
      "Foundation.swift": overlay, "App.swift": code,
    ]
    for (name, text) in files { try Data(text.utf8).write(to: folder.url.appending(path: name)) }
    func compile(_ file: String, _ arguments: [String]) async throws -> String {
      try await Compiler.run(
        "swiftc",
        ["-frontend", "-swift-version", "6", "-enable-objc-interop", "-parse-as-library", "-I", folder.url.path]
          + arguments + [folder.url.appending(path: file).path])
    }
    let module = folder.url.appending(path: "Foundation.swiftmodule").path
    #expect(try await compile("Foundation.swift", ["-emit-module", "-module-name", "Foundation", "-o", module]) == "")
    let messages = try await compile("App.swift", ["-typecheck", "-module-name", "App"])
    return messages.split(separator: "\n").filter { $0.contains("error:") }.map(String.init)
  }
}
