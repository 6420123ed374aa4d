import FlagDomain

extension EtcdClient {
  /// Creates a lease that expires if it is not renewed within its lifetime, and returns its number.
  func grantLease(for lifetime: Duration) async throws(EtcdError) -> Int64 {
    let seconds = max(1, lifetime.components.seconds)
    let answer = try await askAny("lease/grant", .object(["TTL": EtcdText.number(seconds)]))
    guard let lease = answer[etcd: "ID"]?.etcdNumber, lease != 0 else { throw .unreadable("a lease without a number") }
    return lease
  }

  /// Renews a lease, and returns whether it still exists.
  func renew(_ lease: Int64) async throws(EtcdError) -> Bool {
    let answer = try await askAny("lease/keepalive", .object(["ID": EtcdText.number(lease)]))
    // It is a stream of one answer; for an expired lease the remaining time is zero, and so is left out.
    if let error = answer[etcd: "error"].flatMap({ EtcdError(body: $0) }) { throw error }
    guard let result = answer[etcd: "result"] else { throw .unreadable("a lease without a result") }
    return (result[etcd: "TTL"]?.etcdNumber ?? 0) > 0
  }

  /// Revokes a lease, which removes the keys that were written under it.
  func revoke(_ lease: Int64, within limit: Duration) async throws(EtcdError) {
    _ = try await askAny("lease/revoke", .object(["ID": EtcdText.number(lease)]), within: limit)
  }
}
