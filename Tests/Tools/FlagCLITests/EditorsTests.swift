import FlagConsole
import Testing

@testable import FlagCLI

@Suite("The file of those who may edit")
struct EditorsTests {
  @Test(
    "It names people, everywhere or by environment; all others may look",
    arguments: [
      ("", "ana", "", [:]), ("ana", "ana", "edit", [:]), ("ana", "Ana", "edit", [:]), ("ana", "anna", "", [:]),
      ("# ana\n\n  bo  \r\n", "ana", "", [:]), ("# ana\n\n  bo  \r\n", "bo", "edit", [:]),
      ("*", "ana", "edit", [:]), ("* dev\nana prod", "ana", "", ["dev": true, "prod": true]),
      ("* dev\nana prod", "bo", "", ["dev": true]), ("ana dev\nana", "ana", "edit", [:]),
      ("kim\njosé", "\u{212A}im", "", [:]), ("kim\njosé", "jose\u{301}", "", [:]), ("kim\njosé", "KIM", "edit", [:]),
      ("ana\nana dev", "ana", "edit", [:]), ("ana dev\nana prod", "ana", "", ["dev": true, "prod": true]),
    ] as [(String, String, String, [String: Bool])])
  func names(text: String, name: String, permission: String, environments: [String: Bool]) throws {
    let person = try ConsoleEditors(text, environments: ["dev", "prod"]).person(name)
    #expect(
      person
        == FlagConsolePerson(name, may: permission.isEmpty ? .view : .edit, environments.mapValues { _ in .edit }))
  }

  @Test("An environment that there is not is an error with its line, since it may be meant to restrict")
  func refuses() {
    let message = "line 2: expected one of dev, prod, found staging"
    #expect(throws: UsageError(message)) { try ConsoleEditors("ana\nbo dev staging", environments: ["dev", "prod"]) }
    #expect(throws: UsageError("line 1: expected a name alone, of a console without environments, found dev")) {
      try ConsoleEditors("ana dev", environments: [""])
    }
  }
}
