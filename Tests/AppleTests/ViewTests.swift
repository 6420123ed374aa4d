import Foundation
import TestSupport
import Testing

@Suite("Code of apps that use the package on Apple's systems", .whenAsked, .timeLimit(.minutes(20)))
struct ViewTests {
  @Test(
    "A view that reads flags compiles, and so does one with a flag's toggle", arguments: ApplePlatform.all)
  func takesViews(platform: ApplePlatform) async throws {
    let system = try await CheckedSystem.of(platform)
    #expect(try await system.errors(in: Self.view) == [])
    #expect(try await system.errors(in: Self.toggle) == [])
    // So that the test cannot pass because nothing was looked at.
    let wrong = Self.view.replacing("count: size", with: "count: true")
    #expect(try await system.errors(in: wrong).contains { $0.contains("cannot convert value of type 'Bool'") })
  }

  @Test("What Foundation has on computers alone is an error elsewhere", arguments: ApplePlatform.all)
  func refusesPrograms(platform: ApplePlatform) async throws {
    let errors = try await CheckedSystem.of(platform).errors(in: Self.programs).filter { $0.contains(": error: ") }
    // A phone has the last function's, which a computer has not.
    #expect(errors.count == (platform.name == "macOS" ? 1 : 4), "\(errors)")
    #expect(errors.allSatisfy { $0.contains("is unavailable in \(platform.name)") }, "\(errors)")
  }

  private static let programs = """
    import Foundation

    func start() throws -> [URL] {
      try Process().run()
      print(ProcessInfo.processInfo.userName)
      return [URL.homeDirectory, FileManager.default.homeDirectoryForCurrentUser]
    }

    func expire() { ProcessInfo.processInfo.performExpiringActivity(withReason: "") { _ in } }

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
}
