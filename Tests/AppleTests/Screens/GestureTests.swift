import SwiftUI
import Testing

/// Gestures act on what they find, and fail if the screen has nothing for them.
@MainActor
@Suite("Gestures on a screen")
struct GestureTests {
  @Test("A tap acts on what is there, once, and not on what is dead")
  func taps() throws {
    struct Counter: View {
      let isDead: Bool
      let adds: Bool
      @State private var count = 0
      var body: some View {
        Text("\(count)")
        if adds { Button("Add") { count += 1 }.disabled(isDead) }
      }
    }
    let screen = Screen(Counter(isDead: false, adds: true))
    try screen.tap("Add")
    #expect(screen.shows("1"))
    #expect(throws: Screen.Failure.self) { try Screen(Counter(isDead: true, adds: true)).tap("Add") }
    #expect(throws: Screen.Failure.self) { try Screen(Counter(isDead: false, adds: false)).tap("Add") }
    let two = Screen(
      HStack {
        Counter(isDead: false, adds: true); Counter(isDead: false, adds: true)
      })
    #expect(throws: Screen.Failure.self) { try two.tap("Add") }
  }

  @Test("Two views at two places have a state each, and one that leaves begins anew")
  func keepsStates() throws {
    struct Counter: View {
      let name: String
      @State private var count = 0
      var body: some View { Button("\(name) \(count)") { count += 1 } }
    }
    struct Host: View {
      @State private var isShown = true
      var body: some View {
        Counter(name: "a")
        if isShown { Counter(name: "b") }
        Toggle("Shown", isOn: $isShown)
      }
    }
    let screen = Screen(Host())
    try screen.tap("a 0")
    try screen.tap("b 0")
    try screen.tap("b 1")
    #expect(screen.shows("'a 1'") && screen.shows("'b 2'"))
    try screen.tap("Shown")
    try screen.tap("Shown")
    #expect(screen.shows("'a 1'") && screen.shows("'b 0'"))
  }

  @Test("A phone curls quotes and begins with a capital, unless the field says otherwise")
  func types() throws {
    struct Fields: View {
      @State private var text = ""
      @State private var code = ""
      @State private var sent = ""
      var body: some View {
        TextField("Text", text: $text).onSubmit { sent = text }
        TextField("Code", text: $code).keyboardType(.asciiCapable)
        Text("sent \(sent)")
      }
    }
    let screen = Screen(Fields())
    try screen.type(#"say "a""#, into: "Text", leavingBy: false)
    #expect(screen.shows("TextField 'Text': 'Say “a”'") && !screen.shows("sent Say"))
    try screen.type(#"say "b""#, into: "Text")
    #expect(screen.shows("sent Say “b”"))
    try screen.type(#"say "a""#, into: "Code")
    #expect(screen.shows(#"TextField 'Code': 'say "a"'"#))
    #expect(throws: Screen.Failure.self) { try screen.type("a", into: "Other") }
  }

  @Test("Nothing is swiped, held, picked, stepped, searched, shared or left where nothing is for it")
  func finds() {
    let screen = Screen(List { Text("Row") })
    #expect(throws: Screen.Failure.self) { try screen.swipe("Row", from: .leading, "Default") }
    #expect(throws: Screen.Failure.self) { try screen.hold("Row", "Default") }
    #expect(throws: Screen.Failure.self) { try screen.pick("a", in: "Row") }
    #expect(throws: Screen.Failure.self) { try screen.step("Row") }
    #expect(throws: Screen.Failure.self) { try screen.search("a") }
    #expect(throws: Screen.Failure.self) { try screen.tap("Share") }
    #expect(throws: Screen.Failure.self) { try screen.back() }
  }

  @Test("An alert hides what is behind it, and is gone when it is answered")
  func answers() throws {
    struct Asking: View {
      @State private var asks = true
      @State private var answer = "none"
      var body: some View {
        Text(answer)
          .alert("Sure?", isPresented: $asks) {
            Button("Yes") { answer = "yes" }
          } message: {
            Text("It cannot be undone.")
          }
      }
    }
    let screen = Screen(Asking())
    #expect(screen.text == "alert\n  Sure?\n  It cannot be undone.\n  Button 'Yes'")
    try screen.tap("Yes")
    #expect(screen.text == "yes")
  }
}
