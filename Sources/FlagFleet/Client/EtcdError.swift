import FlagDomain
import FlagHTTP
import FlagJSON
import FlagProviders
import FlagTransport

/// Why etcd did not do what it was asked for.
enum EtcdError: Error, Hashable, Sendable {
  /// There was no answer.
  case unreachable(TransportError)
  /// etcd refused, with one of gRPC's codes.
  case refused(Code, String)
  /// The answer is none that etcd gives.
  case unreadable(String)
  /// A key holds no record as publishers and servers write them.
  case malformed(String)
}

extension EtcdError {
  /// What kind of refusal it is: the numbers of gRPC.
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

  /// Whether this member will not answer otherwise a little later, though another one may.
  var isAboutMember: Bool {
    if case .unreachable(.certificate) = self { true } else { false }
  }

  /// Whether another member, or this one a little later, may answer otherwise.
  var isTransient: Bool {
    switch self {
    case .unreachable(let error):
      switch error {
      case .unsupportedAddress, .plaintext, .cancelled: false
      default: true
      }
    case .refused(.exhausted, let message): !message.contains("space exceeded")
    case .refused(let code, _):
      [.cancelled, .unknown, .deadlineExceeded, .internalError, .unavailable].contains(code)
    case .unreadable, .malformed: true
    }
  }

  /// Whether what was asked for has certainly not been done, and will not be.
  var isCertain: Bool {
    switch self {
    case .unreachable(.notConnected): true
    case .unreachable: isAboutMember
    case .refused(.unavailable, let message): message.contains("no leader")
    // A write that uses the quota up is done, and answered so.
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

  /// Whether it is about who asks: it stays so until someone changes what they may do.
  var isRefusal: Bool {
    if case .refused(.permissionDenied, _) = self { return true }
    if case .refused(.invalid, let message) = self { return message.contains("auth") || isAboutToken }
    return isAboutToken
  }
}

extension EtcdError: CustomStringConvertible {
  var description: String {
    switch self {
    case .unreachable(let error): "\(error)"
    case .refused(let code, let message): "etcd refused: \(message) (\(code.rawValue))"
    case .unreadable(let problem): "expected an answer of etcd, found \(problem)"
    case .malformed(let problem): problem
    }
  }
}

// MARK: Reading

extension EtcdError {
  /// Reads what is no good answer: of etcd up to 3.5, of later ones, or of something in between.
  init(_ response: HTTPResponse) {
    do throws(JSONError) {
      if let error = EtcdError(body: try FlagValue(json: response.body)) {
        self = error
        return
      }
    } catch {}
    // What no etcd has written comes from a proxy; one that is busy may be well again soon.
    self = .unreadable("status \(response.status)")
  }

  /// Reads a refusal; nil where a value is none.
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

  /// Reads why a watch was cancelled: `rpc error: code = PermissionDenied desc = ...`, or a text alone.
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
  /// A member of an object; nil for none.
  subscript(etcd name: String) -> FlagValue? { fields?[name] }

  /// An integer: in etcd's JSON those of 64 bits are strings.
  var etcdNumber: Int64? {
    switch self {
    case .int(let number): Int64(exactly: number)
    case .string(let text): Int64(text)
    default: nil
    }
  }
}
