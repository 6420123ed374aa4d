import FlagDomain
import FlagTransport

extension EtcdClient {
  /// The timeout of a step of maintenance: a member that rewrites a database of gigabytes answers late.
  private static let maintenanceTimeout = Duration.seconds(120)

  /// Returns the size in bytes of a member's database on disk, and the revision of the whole store there.
  func size(of member: Int) async throws(EtcdError) -> (bytes: Int64, revision: Int64) {
    let answer = try await maintain("maintenance/status", .object([:]), at: member)
    return (answer[etcd: "dbSize"]?.etcdNumber ?? 0, try EtcdRange.revision(in: answer))
  }

  /// Removes what etcd keeps of values before a revision of the whole store.
  func compact(to revision: Int64, at member: Int) async throws(EtcdError) {
    let body = FlagValue.object(["revision": EtcdText.number(revision), "physical": .bool(true)])
    do throws(EtcdError) {
      _ = try await maintain("kv/compaction", body, at: member)
    } catch {
      // Another one has compacted up to there, or beyond.
      guard case .refused(.outOfRange, _) = error else { throw error }
    }
  }

  /// Rewrites a member's database without gaps; the member answers nothing else meanwhile.
  func defragment(_ member: Int) async throws(EtcdError) {
    _ = try await maintain("maintenance/defragment", .object([:]), at: member)
  }

  /// Clears the alarms that keep etcd from writing after its quota was used up.
  ///
  /// A member that still exceeds its quota raises it again.
  func clearSpaceAlarms() async throws(EtcdError) {
    let path = "maintenance/alarm"
    let answer = try await askAny(path, .object(["action": .string("GET")]))
    for alarm in answer[etcd: "alarms"]?.elements ?? [] where alarm[etcd: "alarm"]?.text == "NOSPACE" {
      var body: [String: FlagValue] = ["action": .string("DEACTIVATE"), "alarm": .string("NOSPACE")]
      body["memberID"] = alarm[etcd: "memberID"]
      _ = try await askAny(path, .object(body))
    }
  }

  private func maintain(_ path: String, _ body: FlagValue, at member: Int) async throws(EtcdError) -> FlagValue {
    try await ask(path, body, at: member, timeout: Self.maintenanceTimeout)
  }
}
