import FlagDomain

/// Maintenance of the whole cluster, which requires etcd's role root if etcd has users.
extension EtcdClient {
  /// The timeout of a step of maintenance: a member that rewrites a database of gigabytes answers late.
  private static let maintenanceTimeout = Duration.seconds(120)

  /// Compacts etcd, defragments its members one after the other, and clears the alarm of a used-up quota.
  ///
  /// A failure at one member keeps none of the others from it.
  func reclaimSpace() async -> (freed: Int64, problems: [String]) {
    var freed: Int64 = 0
    var problems: [String] = []
    var isCompacted = false
    for member in 0..<memberCount {
      do throws(EtcdError) {
        let before = try await size(of: member)
        if !isCompacted { try await compact(to: before.revision, at: member) }
        isCompacted = true
        // A member rewrites its database without gaps, and answers nothing else meanwhile.
        _ = try await maintain("maintenance/defragment", at: member)
        freed += max(0, before.bytes - (try await size(of: member)).bytes)
      } catch {
        problems.append("\(name(of: member)) is not defragmented: \(error)")
      }
    }
    do throws(EtcdError) { try await clearSpaceAlarms() } catch {
      problems.append("the alarm of the quota is not cleared: \(error)")
    }
    return (freed, problems)
  }

  /// Returns the size in bytes of a member's database on disk, and the revision of the whole store there.
  private func size(of member: Int) async throws(EtcdError) -> (bytes: Int64, revision: Int64) {
    let answer = try await maintain("maintenance/status", at: member)
    return (answer[etcd: "dbSize"]?.etcdNumber ?? 0, try EtcdRange.revision(in: answer))
  }

  /// Removes what etcd keeps of values before a revision of the whole store.
  private func compact(to revision: Int64, at member: Int) async throws(EtcdError) {
    do throws(EtcdError) {
      _ = try await maintain(
        "kv/compaction", ["revision": EtcdText.number(revision), "physical": .bool(true)], at: member)
    } catch {
      // Another one has compacted up to there, or beyond.
      guard case .refused(.outOfRange, _) = error else { throw error }
    }
  }

  /// Clears the alarms that keep etcd from writing after its quota was used up.
  ///
  /// A member that still exceeds its quota raises it again.
  private func clearSpaceAlarms() async throws(EtcdError) {
    let path = "maintenance/alarm"
    let answer = try await askAny(path, .object(["action": .string("GET")]))
    for alarm in answer[etcd: "alarms"]?.elements ?? [] where alarm[etcd: "alarm"]?.text == "NOSPACE" {
      var body: [String: FlagValue] = ["action": .string("DEACTIVATE"), "alarm": .string("NOSPACE")]
      body["memberID"] = alarm[etcd: "memberID"]
      _ = try await askAny(path, .object(body))
    }
  }

  private func maintain(
    _ path: String, _ body: [String: FlagValue] = [:], at member: Int
  ) async throws(EtcdError) -> FlagValue {
    try await ask(path, .object(body), at: member, timeout: Self.maintenanceTimeout)
  }
}
