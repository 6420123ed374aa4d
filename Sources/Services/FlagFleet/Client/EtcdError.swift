package import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagJSON
import FlagProviders
import FlagTransport

/// An error of a request to etcd.
enum EtcdError: Error, Hashable, Sendable {
  /// There was no response.
  case unreachable(TransportError)
  /// etcd refused, with one of gRPC's codes.
  case refused(Code, String)
  /// The response is not one of etcd's.
  case unreadable(String)
  /// A key has no record in the form that publishers and servers write; the key is nil for a value alone.
  case malformed(String, key: String? = nil)

  /// The code of a refusal, as in gRPC.
  struct Code: RawRepresentable, Hashable, Sendable {
    let rawValue: Int

    static let cancelled = Self(rawValue: 1)
    static let unknown = Self(rawValue: 2)
    static let invalid = Self(rawValue: 3)
    static let deadlineExceeded = Self(rawValue: 4)
    static let notFound = Self(rawValue: 5)
    static let permissionDenied = Self(rawValue: 7)
    static let exhausted = Self(rawValue: 8)
    static let failedPrecondition = Self(rawValue: 9)
    static let outOfRange = Self(rawValue: 11)
    static let internalError = Self(rawValue: 13)
    static let unavailable = Self(rawValue: 14)
    static let unauthenticated = Self(rawValue: 16)
  }

  /// Whether retrying at this member does not help, though another member may answer.
  var isAboutMember: Bool {
    if case .unreachable(.certificate) = self { true } else { false }
  }

  /// The words of etcd for a used-up quota, which has the code of other limits, too.
  fileprivate static let fullStore = "space exceeded"

  /// Whether another member, or this one a little later, may answer.
  var isTransient: Bool {
    switch self {
    case .unreachable(let error):
      switch error {
      case .unsupportedAddress, .plaintext, .cancelled: false
      default: true
      }
    case .refused(.exhausted, let message): !message.contains(Self.fullStore)
    case .refused(let code, _):
      [.cancelled, .unknown, .deadlineExceeded, .internalError, .unavailable].contains(code)
    case .unreadable, .malformed: true
    }
  }

  /// Whether the request has certainly not been executed, and will not be.
  var isCertain: Bool {
    switch self {
    case .unreachable(.notConnected): true
    case .unreachable: isAboutMember
    case .refused(.unavailable, let message): message.contains("no leader")
    // A write that exceeds the quota is executed, and answered with this error.
    case .refused(.exhausted, _): false
    case .refused: !isTransient
    case .unreadable, .malformed: false
    }
  }

  /// Whether a new token may help.
  var isAboutToken: Bool {
    switch self {
    case .refused(.unauthenticated, _): true
    case .refused(.invalid, let message):
      message.contains("auth store is old") || message.contains("user name is empty")
    default: false
    }
  }

  /// Whether the user lacks permission: retrying does not help until permissions change.
  var isRefusal: Bool {
    if case .refused(.permissionDenied, _) = self { return true }
    if case .refused(.invalid, let message) = self { return message.contains("auth") || isAboutToken }
    return isAboutToken
  }

  /// The code by which an app distinguishes refusals, slow members and missing connections; nil for other errors.
  var cause: FlagError.Code? {
    switch self {
    case .unreachable(let error): error.code
    case .refused where isRefusal: .unauthorized
    case .refused(.deadlineExceeded, _): .timeout
    case .refused(.unavailable, _): .unreachable
    case .refused, .unreadable, .malformed: nil
    }
  }
}

extension EtcdError: CustomStringConvertible {
  var description: String {
    switch self {
    case .unreachable(let error): "\(error)"
    case .refused(let code, let message): "etcd refused: \(message) (\(code.rawValue))"
    case .unreadable(let problem): "expected an answer of etcd, found \(problem)"
    case .malformed(let problem, let key): key.map { "\($0) is broken: \(problem)" } ?? problem
    }
  }
}

// MARK: Reading

extension EtcdError {
  /// Parses a response that is not a success: of etcd up to 3.5, of later ones, or of a proxy in between.
  init(_ response: HTTPResponse) {
    do throws(JSONError) {
      if let error = EtcdError(body: try FlagValue(json: response.body)) {
        self = error
        return
      }
    } catch {}
    // A response in no form of etcd's comes from a proxy, whose overload may be short.
    self = .unreadable("status \(response.status)")
  }

  /// Parses a refusal; nil if a value is not one.
  ///
  /// etcd up to 3.5 answers `{"error": TEXT, "message": TEXT, "code": 3}`, and in a stream
  /// `{"error": {"grpc_code": 3, "message": TEXT}}`; later ones `{"code": 3, "message": TEXT, "details": []}`, in a
  /// stream within `error`.
  init?(body: FlagValue) {
    guard case .object(let members) = body else { return nil }
    if case .object? = members["error"], let error = members["error"].flatMap(EtcdError.init(body:)) {
      self = error
      return
    }
    guard let message = members["message"]?.text ?? members["error"]?.text else { return nil }
    let number = members["code"]?.etcdNumber ?? members["grpc_code"]?.etcdNumber
    self = .refused(Code(rawValue: number.flatMap { Int(exactly: $0) } ?? 2), String(message.prefix(300)))
  }

  /// Parses the reason of a cancelled watch: `rpc error: code = PermissionDenied desc = ...`, or a text alone.
  init(cancelReason reason: String) {
    let codes: [(String, Code)] = [
      ("PermissionDenied", .permissionDenied), ("Unauthenticated", .unauthenticated), ("InvalidArgument", .invalid),
      ("OutOfRange", .outOfRange),
    ]
    let code = codes.first { reason.contains("code = \($0.0)") }?.1
    let isRefused = reason.contains("permission denied")
    self = .refused(code ?? (isRefused ? .permissionDenied : .unavailable), String(reason.prefix(300)))
  }
}

extension FlagValue {
  /// Returns a member of an object; nil if it is missing.
  subscript(etcd name: String) -> FlagValue? { fields?[name] }

  /// The value as an integer: etcd's JSON has those of 64 bits as strings.
  var etcdNumber: Int64? {
    switch self {
    case .int(let number): Int64(exactly: number)
    case .string(let text): Int64(text)
    default: nil
    }
  }
}

extension DefinitionStoreError {
  /// Whether etcd has refused to write because its quota is used up.
  package var isOfFullStore: Bool { message.contains(EtcdError.fullStore) }
}
