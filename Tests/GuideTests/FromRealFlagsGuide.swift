import FlagComposition
import FlagDomain
import FlagMacros
import FlagProviders
import FlagTesting
import Foundation
import Testing

@FlagSet("user", "Flags of the user area.", style: KeyStyle(prefix: "myapp", separator: "/", transform: .snakeCase))
struct UserFlags {
  @Flag("Shows the social buttons.", order: 1) var showSocialLogin = false
  @Flag("How often to ask.", isLocked: true, excludedProviders: ["Local"]) var ratingInterval = 30
  @Flag("Where the help is; nil for none.") var helpPage: String?
  @Flag(
    "On for testers.",
    computed: { context in
      context.user?.segments.contains("testers") == true ? true : nil
    })
  var showsDebugMenu = false
  @FlagGroup("The shopping cart.") var cart: CartFlags
}

@FlagSet("cart", "The shopping cart.")
struct CartFlags {
  @Flag("How a cart is sorted.") var order: CartOrder = .byDate
  @Flag(key: "legacy-limit", "How many items fit.") var limit: UInt8 = 20
}

enum CartOrder: String, CaseIterable, Codable { case byDate, byPrice }

@Suite("Guide from RealFlags")
struct FromRealFlagsGuide {
  @Test("What the guide shows holds")
  func holds() throws {
    #expect(
      UserFlags.allFlags.map(\.key) == [
        "myapp/user/show_social_login", "myapp/user/rating_interval", "myapp/user/help_page",
        "myapp/user/shows_debug_menu", "myapp/user/cart/order", "legacy-limit",
      ])

    let local = InMemoryProvider(name: "Local")
    let remote = InMemoryProvider(name: "Remote", ["myapp/user/rating_interval": 10, "legacy-limit": 300])
    let flags = try FeatureFlagClient(catalogs: [UserFlags.catalog]) {
      local
      remote.readOnly()
    }
    let user = UserFlags(flags.manager)
    #expect(user.ratingInterval == 10)
    #expect(user.cart.order == .byDate)

    flags.authenticator.setUser(FlagUser(id: "ana", segments: ["testers"]))
    #expect(user.showsDebugMenu)
    #expect(flags.inspector.resolution(of: user.$showsDebugMenu).reason == .computed)

    let answers = flags.inspector.answers(for: user.$ratingInterval)
    #expect(answers.map(\.provider) == ["Local", "Remote"])
    #expect(answers.map(\.isExcluded) == [true, false])
    #expect(answers.map(\.value) == [nil, 10])

    try flags.writer.write("help.html", for: user.$helpPage)
    #expect(user.helpPage == "help.html")
    try flags.writer.reset(user.$helpPage)
    #expect(user.helpPage == nil)

    #expect(user.cart.limit == 20)
    #expect(flags.inspector.resolution(of: user.cart.$limit).error?.code == .typeMismatch)

    #expect(flags.writer.writableProviders == ["Local"])

    flags.setDefault(5, for: user.$ratingInterval)
    #expect(flags.defaultValue(of: user.$ratingInterval) == 5)

    for entry in UserFlags.catalog.entries {
      #expect(entry.groups.first == "user")
    }
    #expect(try user.cart.$order.choices == ["byDate", "byPrice"])
  }
}
