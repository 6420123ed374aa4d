package import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A cluster of etcd's own members on loopback, whose data is in a folder that is removed at the end.
package final class EtcdCluster: Sendable {
  /// A program that is etcd.
  package struct Program: Sendable, CustomStringConvertible {
    package let description: String
    package let file: URL

    /// The programs that are here: the system's, of version 3.4 on Debian, and PyPI's, of version 3.5, as `.ci/run`
    /// installs them.
    package static let all: [Program] = {
      let folder = VirtualEnvironment.etcd.url.appending(path: "lib")
      let distro = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
        .first { $0.hasSuffix("/etcdbin/etcd") }
      let files = [
        ("the system's etcd", InstalledProgram.find("etcd")),
        ("PyPI's etcd", distro.map { folder.appending(path: $0) }),
      ]
      return files.compactMap { name, file in
        guard let file, FileManager.default.isExecutableFile(atPath: file.path) else { return nil }
        return Program(description: name, file: file)
      }
    }()
  }

  /// Why there is no cluster, or not the one that was asked for.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    /// Keeps what is wrong.
    package init(description: String) { self.description = description }
  }

  private let program: URL
  private let folder: URL
  private let ports: [(client: Int, peer: Int)]
  private let options: [String]
  private let members: Mutex<[ChildProcess?]>

  /// Starts members, and waits until they have a leader.
  package init(_ program: Program?, members count: Int = 3, options: [String] = []) throws {
    guard let program else { throw Failure(description: Requirement.etcd.absence) }
    self.program = program.file
    self.options = options
    folder = FileManager.default.temporaryDirectory.appending(path: "etcd-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    ports = try (0..<count).map { _ in (try ReservedPort.forRestarts(), try ReservedPort.forRestarts()) }
    members = Mutex(Array(repeating: nil, count: count))
    for member in 0..<count { try start(member) }
    try waitForLeader()
  }

  deinit {
    for case let member? in members.withLock({ $0 }) { Self.end(member) }
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      print("\(folder.path) stays: \(error)")
    }
  }

  private static func end(_ member: ChildProcess) {
    send(SIGKILL, to: member)
    _ = member.wait()
  }
}

extension EtcdCluster {
  /// The addresses for clients.
  package var endpoints: [String] { ports.map { "http://127.0.0.1:\($0.client)" } }

  /// The number of members.
  package var count: Int { ports.count }

  /// Starts a member, from what it has on disk, if anything.
  package func start(_ number: Int) throws {
    let (client, peer) = ports[number]
    let cluster = ports.indices.map { "m\($0)=http://127.0.0.1:\(ports[$0].peer)" }.joined(separator: ",")
    let log = folder.appending(path: "m\(number).log").path
    if !FileManager.default.fileExists(atPath: log) { try Data().write(to: URL(filePath: log)) }
    let output = try FileHandle(forWritingTo: URL(filePath: log))
    try output.seekToEnd()
    let member = try ChildProcess(
      program,
      [
        "--name", "m\(number)", "--data-dir", folder.appending(path: "m\(number)").path,
        "--listen-client-urls", "http://127.0.0.1:\(client)", "--advertise-client-urls", "http://127.0.0.1:\(client)",
        "--listen-peer-urls", "http://127.0.0.1:\(peer)",
        "--initial-advertise-peer-urls", "http://127.0.0.1:\(peer)",
        "--initial-cluster", cluster, "--initial-cluster-token", folder.lastPathComponent,
      ] + options, output: output.fileDescriptor, errors: output.fileDescriptor)
    members.withLock { $0[number] = member }
    try output.close()
  }

  /// Ends a member at once.
  package func kill(_ number: Int) {
    let member = members.withLock { members in
      defer { members[number] = nil }
      return members[number]
    }
    if let member { Self.end(member) }
  }

  /// Stops a member, which keeps its connections and says nothing.
  package func stop(_ number: Int) { signal(number, SIGSTOP) }

  /// Lets a stopped member go on.
  package func resume(_ number: Int) { signal(number, SIGCONT) }

  private func signal(_ number: Int, _ signal: Int32) {
    if let member = members.withLock({ $0[number] }) { Self.send(signal, to: member) }
  }

  private static func send(_ signal: Int32, to member: ChildProcess) {
    #if canImport(Glibc)
      Glibc.kill(member.id, signal)
    #elseif canImport(Musl)
      Musl.kill(member.id, signal)
    #else
      Darwin.kill(member.id, signal)
    #endif
  }

  /// The leader according to a member; nil if there is none.
  package func leader() -> Int? {
    let running = members.withLock { members in members.indices.filter { members[$0] != nil } }
    for number in running {
      guard let leader = status("leader", of: number), leader != "0" else { continue }
      if let other = running.first(where: { status("member_id", of: $0) == leader }) { return other }
    }
    return nil
  }

  /// The status of a member; nil if it does not answer, as while it starts or has no leader.
  private func status(_ name: String, of number: Int) -> String? {
    do { return Self.text(name, in: try ask(number, "maintenance/status", "{}")) } catch { return nil }
  }

  /// Waits until the members that run have a leader among them.
  package func waitForLeader() throws {
    let end = Date(timeIntervalSinceNow: 60)
    while leader() == nil {
      guard Date.now < end else { throw Failure(description: "no leader within a minute") }
      usleep(20_000)
    }
  }

  /// The bytes of a member's database on disk.
  package func databaseSize(_ number: Int) throws -> Int {
    Self.text("dbSize", in: try ask(number, "maintenance/status", "{}")).flatMap { Int($0) } ?? 0
  }

  /// The processor time of the members since their start; nil if the platform does not report it.
  package func processorTime() throws -> Duration? {
    #if os(Linux)
      let ticks = try members.withLock({ $0 }).compactMap { $0?.id }.map { id in
        let text = try String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
        // After the program's name, which is in parentheses: the twelfth and the thirteenth field.
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else {
          throw Failure(description: "expected the times of a process, found \(text)")
        }
        return user + system
      }
      return .seconds(1) * ticks.reduce(0, +) / sysconf(Int32(_SC_CLK_TCK))
    #else
      return nil
    #endif
  }

  /// Asks a member, by a connection for this one request, and returns what it says.
  @discardableResult
  package func ask(_ number: Int, _ path: String, _ body: String, token: String? = nil) throws -> String {
    let connection = try connectedSocket(port: ports[number].client)
    defer { close(connection) }
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let token = token.map { "Authorization: \($0)\r\n" } ?? ""
    let request = """
      POST /v3/\(path) HTTP/1.0\r\nHost: localhost\r\nContent-Type: application/json\r\n\(token)\
      Content-Length: \(body.utf8.count)\r\n\r\n\(body)
      """
    let bytes = Array(request.utf8)
    guard Self.write(bytes, to: connection) else { throw SocketFailure(call: "send") }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while case let count = recv(connection, &buffer, buffer.count, 0), count > 0 { answer += buffer[..<count] }
    return String(decoding: answer, as: UTF8.self)
  }

  private static func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
    #if canImport(Glibc)
      Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    #elseif canImport(Musl)
      Musl.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    #else
      Darwin.send(connection, bytes, bytes.count, 0) == bytes.count
    #endif
  }

  /// Returns the text of the first member of a name.
  package static func text(_ name: String, in answer: String) -> String? {
    guard let start = answer.range(of: "\"\(name)\":\"") else { return nil }
    return answer[start.upperBound...].split(separator: "\"", maxSplits: 1).first.map(String.init)
  }
}
