import FlagDomain

/// A stand-in for LaunchDarkly's client, in the shapes of its calls: an identified context, values, observers.
final class LDClient: Sendable {
  private struct Observer {
    weak var owner: LDObserverOwner?
    let handler: @Sendable ([String: LDChangedFlag]) -> Void
  }

  private struct State {
    var server: @Sendable (String?) -> [String: LDValue] = { _ in [:] }
    var context = LDContext(key: nil)
    var flags: [String: LDValue]?
    var observers: [Observer] = []
    var isFailing = false
    var identifications = 0
  }

  private let state = Locked(State())

  /// How often a context was identified.
  var identifications: Int { state.withLock { $0.identifications } }
}

typealias LDObserverOwner = any AnyObject & Sendable
struct LDChangedFlag: Sendable { let key: String, oldValue: LDValue, newValue: LDValue }
struct LDContext: Sendable { let key: String? }
struct ContextBuilderError: Error {}
enum IdentifyResult: Sendable { case complete, error, shed, timeout }

enum LDValue: Codable, Equatable, Sendable {
  case bool(Bool), string(String)

  init(from decoder: any Decoder) throws {
    do { self = .bool(try Bool(from: decoder)) } catch { self = .string(try String(from: decoder)) }
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .bool(let value): try value.encode(to: encoder)
    case .string(let value): try value.encode(to: encoder)
    }
  }
}

struct LDContextBuilder {
  private var key: String?
  private var isAnonymous = false

  init() {}
  init(key: String) { self.key = key }

  mutating func anonymous(_ isAnonymous: Bool) { self.isAnonymous = isAnonymous }
  @discardableResult mutating func trySetValue(_ name: String, _ value: LDValue) -> Bool { true }

  func build() -> Result<LDContext, ContextBuilderError> {
    key?.isEmpty == true || key == nil && !isAnonymous
      ? .failure(ContextBuilderError()) : .success(LDContext(key: key))
  }
}

extension LDClient {
  var allFlags: [String: LDValue]? { state.withLock { $0.flags } }

  func identify(context: LDContext, completion: @escaping @Sendable (IdentifyResult) -> Void) {
    completion(
      state.withLock {
        $0.identifications += 1
        guard !$0.isFailing else { return .error }
        ($0.context, $0.flags) = (context, $0.server(context.key))
        return .complete
      })
  }

  func observeAll(owner: LDObserverOwner, handler: @escaping @Sendable ([String: LDChangedFlag]) -> Void) {
    state.withLock { $0.observers.append(Observer(owner: owner, handler: handler)) }
  }

  func stopObserving(owner: LDObserverOwner) { state.withLock { $0.observers.removeAll { $0.owner === owner } } }
}

extension LDClient: VendorStandIn {
  func publish(_ server: @escaping @Sendable (_ userID: String?) -> [String: VendorAnswer]) {
    let observers = state.withLock {
      $0.server = { server($0).mapValues { .bool($0.isOn) } }
      if $0.flags != nil { $0.flags = $0.server($0.context.key) }
      return $0.observers
    }
    for observer in observers where observer.owner != nil { observer.handler([:]) }
  }

  func fail(_ failure: (any Error)?) { state.withLock { $0.isFailing = failure != nil } }
}
