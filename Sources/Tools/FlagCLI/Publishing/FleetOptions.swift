import FlagDefinitions
import FlagDomain
import FlagFleet
import FlagFoundation
import FlagRemote
import FlagSupport

/// The cluster of published definitions and its credentials: options that several commands share.
struct FleetOptions: OptionGroup {
  private(set) var sets: [String] = []
  private var endpoints: [String] = []
  private var prefix = "/flags"
  private var user: String?
  private var passwordFile: String?
  private var plaintextHosts: [String] = []
  private var authorities: String?
  private var certificate: String?
  private var key: String?
  private var timeout: Duration?
  private var attemptTimeout: Duration?

  static var options: [Option<Self>] {
    clusterOptions
    [Option<Self>("--set", .setName(), "the set of definitions, such as production", addingTo: \.sets)].shared(.set)
  }

  @OptionsBuilder<Self> static var clusterOptions: [Option<Self>] {
    [Option<Self>("--etcd", .endpoints, "the members of the etcd cluster, such as http://127.0.0.1:2379", \.endpoints)]
      .shared(.set)
    connectionOptions.shared(.connection)
  }

  @OptionsBuilder<Self> private static var connectionOptions: [Option<Self>] {
    Option(
      "--etcd-prefix", .text("KEY"), "the prefix of the keys of all sets (default: /flags)", \.prefix)
    Option(
      "--etcd-user", .text("NAME"), "the user of the cluster", \.user)
    Option(
      "--etcd-password-file", .file,
      "a file with the password (default: the variable FLAGCTL_ETCD_PASSWORD)", \.passwordFile)
    Option(
      "--etcd-plaintext", .text("HOST"),
      "a host other than this machine that may be used without TLS; may be given several times",
      addingTo: \.plaintextHosts)
    Option(
      "--etcd-authorities", .file, "a PEM file of certificates to trust instead of the system's",
      \.authorities)
    Option("--etcd-certificate", .file, "a PEM file with the client certificate", \.certificate)
    Option("--etcd-key", .file, "a PEM file with its key", \.key)
    Option("--etcd-timeout", .seconds, "the timeout of an operation, with its retries (default: 10)", \.timeout)
    Option(
      "--etcd-attempt-timeout", .seconds,
      "the timeout of the first attempt, at one member; further ones are longer (default: 1)", \.attemptTimeout)
  }

  /// Whether any option of a cluster was given.
  var isUsed: Bool { !endpoints.isEmpty || !sets.isEmpty || user != nil || passwordFile != nil }

  func checkCluster() throws(UsageError) {
    if endpoints.isEmpty { throw UsageError("--etcd URL is missing") }
  }

  func checkSets() throws(UsageError) {
    try checkCluster()
    if sets.isEmpty { throw UsageError("--set NAME is missing") }
    if Set(sets).count < sets.count {
      throw UsageError("each set is named once, found \(sets.joined(separator: ", "))")
    }
  }

  func checkSet() throws(UsageError) {
    try checkCluster()
    if sets.isEmpty { throw UsageError("--set NAME is missing") }
    if sets.count > 1 { throw UsageError("one set is enough, found \(sets[1].excerpt) beside \(sets[0].excerpt)") }
  }

  /// Checks that sets are named, or documents of a format instead.
  func checkSets(orFiles paths: [String], _ format: FormatOptions) throws(UsageError) {
    if isUsed {
      if !paths.isEmpty { throw UsageError("--flags FILE or sets in etcd are enough, found both") }
      try format.checkSets()
      try checkSets()
    } else if paths.isEmpty {
      throw UsageError("--flags FILE is missing")
    }
    try format.check(documents: paths.count)
  }

  /// Checks that one set is named, or a file instead.
  func checkSet(orFile file: String?) throws(UsageError) {
    guard file != nil else { return try checkSet() }
    if isUsed { throw UsageError("--flags FILE or a set in etcd is enough, found both") }
  }

  /// Returns a set, by default the one on the command line.
  func set(
    _ name: String? = nil, bucketing: Bucketing = .v3, on terminal: Terminal
  ) throws(ToolError) -> FleetSet {
    var address = try address(of: name, on: terminal)
    address.bucketing = bucketing
    return try FleetSet(address, on: terminal)
  }

  /// Returns the documents that the servers of the sets run, with their revisions as names.
  func currentTexts(on terminal: Terminal) throws(ToolError) -> [(name: String, text: [UInt8])] {
    var texts: [(name: String, text: [UInt8])] = []
    for name in sets {
      let set = try set(name, on: terminal)
      let (revision, text) = try set.currentText()
      texts.append((set.title(ofRevision: revision), text))
    }
    return texts
  }

  /// Returns the address of a set, by default the one on the command line.
  func address(of set: String? = nil, on terminal: Terminal) throws(ToolError) -> FleetAddress {
    let (credentials, certificates) = (try credentials(on: terminal), try certificates())
    do throws(FlagError) {
      var settings = try EtcdSettings(
        endpoints: endpoints, user: credentials?.user, password: credentials?.password, prefix: prefix,
        plaintextHosts: Set(plaintextHosts))
      settings.certificates = certificates
      if let timeout { settings.timeout = timeout }
      if let attemptTimeout { settings.attemptTimeout = attemptTimeout }
      return FleetAddress(set: set ?? sets.first ?? "", settings: settings)
    } catch {
      throw .usage("--etcd: \(error.message)")
    }
  }

  private func certificates() throws(ToolError) -> CertificateFiles? {
    guard authorities != nil || certificate != nil || key != nil else { return nil }
    return try mapError(try CertificateFiles(authorities: authorities, certificate: certificate, key: key)) {
      (error: FlagError) in ToolError.usage("--etcd-authorities, --etcd-certificate, --etcd-key: \(error.message)")
    }
  }

  private func credentials(on terminal: Terminal) throws(ToolError) -> (user: String, password: String)? {
    guard let user else {
      if let passwordFile {
        throw .usage("--etcd-user is missing beside --etcd-password-file \(passwordFile.excerpt)")
      }
      return nil
    }
    guard terminal.trustsCluster else {
      throw .usage(
        "\(user.excerpt)'s password is not sent to a cluster that only .flagctl.json names: type --etcd URL, "
          + "or set FLAGCTL_ETCD")
    }
    if let passwordFile {
      let text = String(decoding: try terminal.contents(of: passwordFile), as: UTF8.self)
      let password = String(text.prefix { !$0.isNewline })
      guard !password.isEmpty else { throw .data("\(passwordFile): expected a password on a line, found none") }
      return (user, password)
    }
    guard let password = terminal.environment["FLAGCTL_ETCD_PASSWORD"] else {
      throw .usage("--etcd-password-file or FLAGCTL_ETCD_PASSWORD is missing for the user \(user.excerpt)")
    }
    return (user, password)
  }
}

extension OptionValue<[String]> {
  fileprivate static var endpoints: Self {
    Self(.text("URL[,URL...]")) { $1.split(separator: ",").map { String($0).trimmingSpaces } }
  }
}

extension OptionValue<String> {
  /// Returns a value that is the name of a set or a server.
  static func setName(_ name: String = "NAME") -> Self {
    Self(name, "is a name of visible characters of ASCII without a slash") { text in
      let isName = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") }
      return isName && !text.isEmpty ? text : nil
    }
  }
}

extension Terminal {
  /// The name of the current user, according to the environment.
  var author: String { environment["USER"] ?? environment["LOGNAME"] ?? "unknown" }
}
