import Foundation
import TestSupport
import Testing

@Suite("Code of apps that use the package on Apple's systems", .whenAsked, .timeLimit(.minutes(20)))
struct ViewTests {
  @Test(
    "A view that reads flags compiles, and so does one with a flag's toggle",
    arguments: ApplePlatform.all.filter { !$0.isCatalyst })
  func takesViews(platform: ApplePlatform) async throws {
    let system = try await CheckedSystem.of(platform)
    #expect(try await system.errors(in: Self.view) == [])
    #expect(try await system.errors(in: Self.toggle) == [])
    // So that the test cannot pass because nothing was looked at.
    let wrong = Self.view.replacing("count: size", with: "count: true")
    #expect(try await system.errors(in: wrong).contains { $0.contains("cannot convert value of type 'Bool'") })
  }

  @Test("A certificate's code is looked at: where a name of Security's is misspelled, that is an error")
  func seesMisspellings() async throws {
    let mac = try #require(ApplePlatform.all.first { $0.name == "macOS" })
    let system = try await CheckedSystem.of(mac)
    let path = "Sources/Internals/FlagTransport/Certificates/SessionDelegate+Security.swift"
    let text = try String(contentsOf: Checkout.root.appending(path: path), encoding: .utf8)
    let names = /\b(?:(?:Sec|CF)\w+(?=\()|(?:k|err)Sec\w+|NSURL\w+|serverTrust|authenticationMethod)\b/
    let used = Set(text.matches(of: names).map(\.output))
    #expect(used.count > 10)
    var misspelled = text.replacing("self.init(trust:", with: "self.init(trustX:")
      .replacing("self.init(identity:", with: "self.init(identityX:")
    for name in used { misspelled = misspelled.replacing(try Regex("\\b\(name)\\b"), with: "\(name)X") }
    let messages = try await system.messages(for: misspelled, inPlaceOf: path, in: "FlagTransport")
    #expect(used.filter { !messages.contains("'\($0)X'") } == [])
    #expect(["trustX:", "identityX:"].filter { !messages.contains("have '\($0)") } == [])
  }

  @Test("The session's delegate has the methods of Apple's by their names: one with another name would not be called")
  func namesMethods() async throws {
    let mac = try #require(ApplePlatform.all.first { $0.name == "macOS" })
    let system = try await CheckedSystem.of(mac)
    let path = "Sources/Internals/FlagTransport/Certificates/SessionDelegate+Security.swift"
    let text = try String(contentsOf: Checkout.root.appending(path: path), encoding: .utf8)
    let own = text.replacing("extension SessionDelegate {", with: Self.challengedDelegate)
    let named = try await system.messages(for: Self.challenges + own, inPlaceOf: path, in: "FlagTransport")
    #expect(!named.contains("error:"), "\(named)")
    let misnamed = Self.challenges + own.replacing("didReceive challenge", with: "received challenge")
    let messages = try await system.messages(for: misnamed, inPlaceOf: path, in: "FlagTransport")
    #expect(messages.contains("required by protocol 'TaskChallenges'"))
  }

  /// The delegate's method as Apple documents it, which is not optional here.
  private static let challenges = """
    import Foundation
    protocol TaskChallenges {
      func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
    }

    """

  private static let challengedDelegate = """
    final class ChallengedDelegate: TaskChallenges {
      let certificates: TransportCertificates? = nil
      func refuse(_ task: URLSessionTask, _ error: TransportError) {}

    """

  private static let view = """
    import FlagDomain
    import FlagSwiftUI
    import SwiftUI

    let pageSize = Flag("page-size", default: 20, "Posts on a page.")

    struct Posts: View {
      let count: Int
      var body: some View { EmptyView() }
    }

    struct FeedView: View {
      @Variation(pageSize) private var size
      var body: some View { Posts(count: size) }
    }

    struct FeedScreen: View {
      let manager: any FeatureFlagManager
      var body: some View { FeedView().flags(manager) }
    }

    """

  private static let toggle = """
    import FlagComposition
    import FlagDomain
    import SwiftUI

    let showsLikes = Flag("shows-likes", default: true, "Likes.")

    struct LikesToggle: View {
      let client: FeatureFlagClient
      var body: some View {
        let isOn: Binding<Bool> = client.binding(of: showsLikes) { error in print(error.message) }
        Toggle("Likes", isOn: isOn)
      }
    }

    """
}

extension CheckedSystem {
  /// Returns the errors of a file of an app.
  fileprivate func errors(in text: String) async throws -> [String] {
    let file = FileManager.default.temporaryDirectory.appending(path: "app-\(UUID().uuidString).swift")
    try text.write(to: file, atomically: false, encoding: .utf8)
    defer { do { try FileManager.default.removeItem(at: file) } catch { /* The system removes it one day. */  } }
    let headers = Checkout.root.appending(path: "Sources/Internals/C/FlagThreads/include").path
    let messages = try await sdk.check(
      file, in: "App", beside: [], ["-swift-version", "6", "-parse-as-library", "-I", headers])
    return messages.split(separator: "\n").filter { $0.contains("error:") }.map(String.init)
  }

  /// Returns what the compiler says of a target's file with another text.
  fileprivate func messages(for text: String, inPlaceOf path: String, in target: String) async throws -> String {
    let declared = try #require(manifest.targets.first { $0.name == target })
    let sources = try TargetCheck.Sources(of: declared, with: check)
    let file = FileManager.default.temporaryDirectory.appending(path: "other-\(UUID().uuidString).swift")
    try text.write(to: file, atomically: false, encoding: .utf8)
    defer { do { try FileManager.default.removeItem(at: file) } catch { /* The system removes it one day. */  } }
    let others = sources.files.filter { !$0.path.hasSuffix(path) }
    return try await sdk.check(file, in: target, beside: others, sources.arguments)
  }
}
