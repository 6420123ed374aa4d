import FlagConsole
import FlagDomain
import FlagHTTP
import TestSupport
import Testing

@testable import FlagConsoleWeb

@Suite("Fields of the form for signing in")
struct SignInFieldTests {
  @Test("A user is signed in again, unchanged, by the form that shows every field")
  func keepsEveryField() async throws {
    let user = FlagUser(
      id: "ann", countryCode: "es", segments: ["beta", "staff"], attributes: ["age": 42],
      contexts: ["organization": ["key": "acme", "plan": "pro"]])
    expectEveryField(of: user)
    let web = try WebFixture(options: { $0.testUsers = [user] })
    let page = "<main>" + SignInForm(user, action: "/user").html.source
    let form = page.replacing(" data-in-place", with: "").fields
    #expect(try await web.ask(.post, "/user", form: form).status == .seeOther)
    expectSameFields(try #require(web.console.user), user)
  }

  @Test("A context that is no object of attributes is refused")
  func refusesOthers() async throws {
    let web = try WebFixture()
    let response = try await web.ask(.post, "/user", form: ["id": "ann", "contexts": #"{"organization": "acme"}"#])
    #expect(String(decoding: response.body, as: UTF8.self).contains("organization: expected an object of attributes"))
    #expect(web.console.user == nil)
  }
}
