import FlagDomain
import FlagHTTP
@testable import FlagServices
import FlagTesting
import FlagTransport
import TestSupport
import Testing

@testable import FlagRemote
@testable import FlagServer

@Suite("Contexts that are sent, and kept with answers")
struct ContextFieldTests {
  private let context = EvaluationContext(
    user: FlagUser(
      id: "ann", countryCode: "es", segments: ["beta"], attributes: ["age": 42, "height": .manyDigits],
      contexts: ["organization": ["key": "acme", "plan": "pro"]]), attributes: ["appVersion": "2"],
    anonymousID: "visitor")

  @Test("A server reads what rules see of a context from what an OFREP client sends of it")
  func readsBack() async throws {
    expectEveryField(of: context)
    let transport = FakeTransport()
    let provider = try RemoteProvider(
      ofrep: Addresses.ofrep, environment: ServiceEnvironment(transport, clock: ManualClock()))
    await transport.request(0)
    provider.client.updateContext { $0 = context }
    let body = await transport.request(1).body
    expectSameFields(try EvaluationContext(ofrep: body).values, context.values)
    withExtendedLifetime(provider) {}
  }

  @Test("A service that receives users alone has others' answers for each field of a user")
  func distinguishesUsers() throws {
    let source = ServiceSource(service: UserService(), policy: RemotePolicy(), clock: ManualClock())
    let edits: [(inout FlagUser) -> Void] = [
      { $0 = $0.changed { $0.id = "ben" } }, { $0 = $0.changed { $0.countryCode = nil } },
      { $0 = $0.changed { $0.segments = [] } }, { $0 = $0.changed { $0.attributes = [:] } },
      { $0 = $0.changed { $0.contexts = [:] } },
    ]
    expectComparison(
      of: try #require(context.user), afterEach: edits, derived: ["storage.named", "storage.segmentValues"]
    ) { source.disclosed(EvaluationContext(user: $0)) == source.disclosed(EvaluationContext(user: $1)) }
  }

  private struct UserService: RemoteFlagService {
    let name = "users"
    func fetch(for user: FlagUser?) -> RemoteAnswers { RemoteAnswers([:]) }
    func subscribe(_ onUpdate: @escaping @Sendable (RemoteUpdate) -> Void) -> FlagSubscription { FlagSubscription {} }
  }
}

extension FlagUser {
  fileprivate func changed(_ edit: (inout Fields) -> Void) -> FlagUser {
    var fields = fields
    edit(&fields)
    return FlagUser(fields)
  }
}
