import FlagProviders
import Foundation
import NewsReader
import SwiftUI
import Testing

@MainActor
@Suite("The News app in a window")
struct NewsTests {
  @Test("A person's minute with the app shows what the guide says")
  func followsGuide() throws {
    let folder = try Folder()
    var screen = Screen(try folder.app())
    let steps = try Step.ofGuide
    #expect(steps.count > 4)
    for step in steps {
      var shared: String?
      for action in step.actions {
        if action == "start" { screen = Screen(try folder.app()) }
        if let texts = try screen.act(action) { shared = texts }
      }
      let shown = shared ?? screen.text + "\n"
      #expect(shown == step.text, "\(step.actions):\n\(shown)")
    }
  }

  @Test("A reader who signs in has the settings of their country and group, until they sign out")
  func signsIn() throws {
    let folder = try Folder()
    let screen = Screen(try folder.app())
    try screen.tap("Account")
    #expect(throws: Screen.Failure.self) { try screen.tap("Sign in") }
    try screen.type("ana", into: "Name")
    try screen.pick("ES", in: "Country")
    try screen.tap("Tests what is new")
    try screen.tap("Sign in")
    try screen.tap("Settings")
    #expect(screen.shows("You\nPhoto\nName\nBadges\nContent\nContent for ES\n"))
    try screen.tap("Account")
    #expect(screen.shows("TextField 'Name': 'Ana'"))
    try screen.tap("Sign out")
    try screen.tap("Settings")
    #expect(screen.shows("# Settings\nName\nContent for ES\nContent for EN\nContent for PT\n"))
  }

  @Test("A preview shows the flags that it sets")
  func previews() {
    let text = "# Feed\nSection 'Most liked first'\n  A map of every bakery (41)\n  How we make bread (28)\n  3 more"
    #expect(Screen(FeedPreview.previews).text == text)
  }

  @Test("An app without its definitions says so")
  func saysWhy() { #expect(Screen(NewsWindow()).text.hasPrefix("No news")) }
}

/// The files of an app, which stay when it starts again.
private struct Folder: ~Copyable {
  private let url = FileManager.default.temporaryDirectory.appending(path: "news-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try FileAnonymousIDStore(url.appending(path: "visitor")).store("visitor-0")
  }

  /// Starts the app.
  @MainActor
  borrowing func app() throws -> NewsScreens {
    let files = [
      "--flags": checkout.appending(path: "Examples/NewsReader/flags.json"),
      "--overrides": url.appending(path: "overrides.json"), "--visitor": url.appending(path: "visitor"),
    ]
    return try NewsWindow.screens(News.Arguments(files.flatMap { [$0.key, $0.value.path] }))
  }

  deinit {
    do { try FileManager.default.removeItem(at: url) } catch { Issue.record(error) }
  }
}

private let checkout = URL(filePath: #filePath).appending(path: "../../../..").standardized

/// A line of the guide's transcript with what a person does, and the text below it that they see then.
private struct Step {
  let actions: [String]
  let text: String

  static var ofGuide: [Step] {
    get throws {
      let guide = try String(contentsOf: checkout.appending(path: "Docs/Platforms.md"), encoding: .utf8)
      let transcript = try #require(guide.components(separatedBy: "```").first { $0.hasPrefix("\n> ") })
      return transcript.components(separatedBy: "\n> ").dropFirst().map { step in
        let lines = step.split(separator: "\n")
        return Step(actions: lines[0].components(separatedBy: ", "), text: lines.dropFirst().map { $0 + "\n" }.joined())
      }
    }
  }
}

extension Screen {
  /// Does what a line says; returns what was shared, if it was.
  fileprivate func act(_ action: String) throws -> String? {
    let words = action.split(separator: " ", maxSplits: 1).map(String.init)
    switch (words[0], words.last ?? "") {
    case ("start", _): break
    case ("tap", let label): try tap(label)
    case ("open", let title): try tap(title, in: title, as: .link)
    case ("search", let text): try search(text)
    case ("choose", let value): try pick(value, in: "Value")
    case ("back", _): try back()
    case ("share", _):
      try tap("Share")
      return Shared.texts.last
    default: throw CocoaError(.featureUnsupported)
    }
    return nil
  }
}
