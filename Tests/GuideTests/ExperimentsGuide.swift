import FlagComposition
import FlagDomain
import FlagEvents
import FlagProviders
import FlagTracking
import Foundation
import Testing

@Suite("Guide to experiments", .timeLimit(.minutes(15)))
struct ExperimentsGuide {
  private let definition = """
    { "flags": {
        "checkout.button": {
          "state": "ENABLED",
          "variants": { "blue": "blue", "green": "green" },
          "defaultVariant": "blue",
          "targeting": { "fractional": [ ["blue", 50], ["green", 50] ] },
          "metadata": { "experiment": true } } } }
    """

  private let signUpDefinition = """
    { "flags": {
        "signup.page": {
          "state": "ENABLED",
          "variants": { "old": "old", "new": "new" },
          "defaultVariant": "old",
          "targeting": { "fractional": [
            { "cat": [ { "var": "$flagd.flagKey" }, { "var": "visitorID" } ] }, ["old", 50], ["new", 50] ] },
          "metadata": { "experiment": true, "unitAttribute": "visitorID" } } } }
    """

  enum SignUpFlag {
    static let page = Flag("signup.page", default: "old", "The page to sign up on.")
  }

  enum CheckoutFlag {
    static let button = Flag("checkout.button", default: "green", "The colour of the button that buys.")
  }

  struct Checkout {
    let flags: any FeatureFlagManager
    let conversions: any ConversionTracker

    func color() -> String { flags.variation(for: CheckoutFlag.button) }

    func buy(for price: Double) { conversions.track("purchase", value: price, attributes: ["currency": "EUR"]) }
  }

  @Test("What the guide shows holds")
  func holds() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "experiments-guide-\(UUID().uuidString)")
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
    let address = try #require(URL(string: "http://127.0.0.1:9/v1/logs"))
    let definitions = try InHouseProvider(data: Data(definition.utf8))
    let catalog = FlagCatalog("checkout") { CheckoutFlag.button }

    let collector = HTTPEventFormat.otlp(service: "shop")
    let tracker = try EventTracker(in: folder, to: HTTPSink(address, format: collector))
    let flags = try FeatureFlagClient(catalogs: [catalog], exposures: tracker) { definitions }
    let checkout = Checkout(flags: flags.manager, conversions: flags.conversions(to: tracker))

    flags.authenticator.setUser(FlagUser(id: "ann"))
    _ = checkout.color()
    checkout.buy(for: 12.5)
    let waiting = try await tracker.waitingEvents()
    #expect(waiting.count == 2)

    let signUp = FlagCatalog("signup") { SignUpFlag.page }
    let signUpDefinitions = try InHouseProvider(data: Data(signUpDefinition.utf8))
    let file = folder.appending(path: "visitor")
    let app = try FeatureFlagClient(
      catalogs: [signUp],
      configuration: .init {
        $0.exposures = tracker
        $0.anonymousIDs = AnonymousIDs(in: FileAnonymousIDStore(file))
      }
    ) { signUpDefinitions }
    let page = app.manager.variation(for: SignUpFlag.page)
    app.authenticator.setUser(FlagUser(id: "ann"))
    #expect(app.manager.variation(for: SignUpFlag.page) == page)
    app.conversions(to: tracker).track("signup")
    let visitor = try #require(try FileAnonymousIDStore(file).load())
    guard case .conversion(let conversion)? = try await tracker.waitingEvents().last?.content else {
      throw FlagError(.general, "no conversion")
    }
    #expect(conversion.units == ["targetingKey": "ann", "visitorID": visitor])
    await tracker.setOptedOut(true)
  }
}
