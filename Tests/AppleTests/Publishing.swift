// The program that a test compiles against the stand-in for Combine, and runs: a model as apps write them, in code of
// the main actor, in Swift 6.

import Combine
import Dispatch
import FlagComposition
import FlagDomain
import Foundation

let pageSize = Flag("feed.page-size", default: 0, "Posts on a page.")
let theme = Flag("feed.theme", default: "light", "Colours.")

struct FeedFlags: FlagSet {
  static let catalog = FlagCatalog("feed", "The feed.") {
    pageSize
    theme
  }
  let manager: any FeatureFlagManager
  init(_ manager: any FeatureFlagManager) { self.manager = manager }
  var size: Int { manager.variation(for: pageSize) }
  var colours: String { manager.variation(for: theme) }
}

@MainActor
final class Model {
  var sizes: [Int] = []
  var isAlwaysMain = true
  var sets: [String] = []
  private var subscriptions: [AnyCancellable] = []

  func start(_ client: FeatureFlagClient) {
    subscriptions.append(
      client.observer.publisher(of: pageSize).sink { [weak self] size in
        self?.isAlwaysMain = self?.isAlwaysMain == true && Thread.isMainThread
        self?.sizes.append(size)
      })
    subscriptions.append(
      client.publisher(of: FeedFlags.self).sink { [weak self] feed in self?.sets.append("\(feed.size) \(feed.colours)")
      })
  }

  func stop() { subscriptions = [] }
}

/// The values that another queue received; its code is nonisolated.
final class Elsewhere: @unchecked Sendable {
  let queue = DispatchQueue(label: "elsewhere")
  private var received: [Int] = []
  private var subscription: AnyCancellable?

  var sizes: [Int] { queue.sync { received } }

  func start(_ client: FeatureFlagClient) {
    subscription = client.observer.publisher(of: pageSize, on: queue).sink { size in
      dispatchPrecondition(condition: .onQueue(self.queue))
      self.received.append(size)
    }
  }
}

/// A subscriber on another thread; its code is nonisolated.
final class Late: @unchecked Sendable {
  private(set) var sizes: [Int] = []
  private(set) var isMain = true
  private var subscription: AnyCancellable?

  func start(_ client: FeatureFlagClient) {
    let subscribed = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      self.subscription = client.observer.publisher(of: pageSize).sink { size in
        self.isMain = self.isMain && Thread.isMainThread
        self.sizes.append(size)
      }
      subscribed.signal()
    }
    subscribed.wait()
  }
}

@MainActor
func wait(_ what: String, until condition: () -> Bool) {
  let end = Date(timeIntervalSinceNow: 60)
  while !condition() {
    _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
    if Date() > end { fatalError("waited a minute for \(what)") }
  }
}

@main
struct Program {
  @MainActor
  static func main() throws {
    let client = try FeatureFlagClient(catalogs: [FeedFlags.catalog]) {}
    let model = Model()
    model.start(client)
    print("inside sink:", model.sizes, model.sets)

    let elsewhere = Elsewhere()
    elsewhere.start(client)

    DispatchQueue.global().async {
      do {
        for size in 1...100 { try client.overrides.override(pageSize, with: size) }
        try client.overrides.override(theme, with: "dark")
      } catch {
        print("not overridden:", error)
      }
    }
    wait("the newest values") { model.sizes.last == 100 && model.sets.last == "100 dark" }
    wait("the newest value elsewhere") { elsewhere.sizes.last == 100 }
    print("in order:", model.sizes == model.sizes.sorted() && Set(model.sizes).count == model.sizes.count)
    print("on main:", model.isAlwaysMain)
    print("in order, on a queue:", elsewhere.sizes == elsewhere.sizes.sorted())

    // Subscribed on another thread, the first value comes on the main queue, too.
    let late = Late()
    late.start(client)
    print("before the main queue runs:", late.sizes)
    wait("the value of the late one") { late.sizes == [100] }
    print("later, on main:", late.isMain)

    model.stop()
    try client.overrides.override(pageSize, with: 200)
    wait("the value after the end") { late.sizes.last == 200 }
    print("after the end:", model.sizes.last == 100)
  }
}
