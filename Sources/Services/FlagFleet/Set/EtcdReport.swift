import FlagDefinitions
import FlagDomain
import FlagJSON
import FlagProviders
import FlagPublishing

/// The last report of a server, as its key holds it; it stays when the server does not come back.
struct EtcdReport: EtcdRecord, Hashable, Sendable {
  var revision: Int?
  var failure: String?
  var timestamp: Int64
  /// Whether another server reports under the same name; nil for no.
  var isNameShared: Bool?

  func validate() {}
}

/// The sign of life of a server, as its key holds it under a lease.
struct EtcdPresence: EtcdRecord, Hashable, Sendable {
  /// A unique identifier of the process.
  var instance: String

  func validate() {}
}

extension ServerReport {
  init(name: String, etcd value: [UInt8]) {
    do throws(EtcdError) {
      let report = try EtcdReport(value)
      self.init(
        name: name, revision: report.revision, failure: report.failure, timestamp: report.timestamp,
        isNameShared: report.isNameShared ?? false)
    } catch {
      self.init(name: name, revision: nil, failure: "its report cannot be read: \(error)", timestamp: 0)
    }
  }
}

extension [ServerReport] {
  /// Creates the reports of servers from all keys below that of the servers, sorted by name.
  init(_ entries: [EtcdEntry], _ keys: EtcdKeys) {
    let live = Set(entries.compactMap { keys.report(ofPresence: $0.key) })
    let reports = entries.filter { keys.report(ofPresence: $0.key) == nil }
    self = reports.map { entry in
      var report = ServerReport(name: keys.server(of: entry.key), etcd: entry.value)
      report.isAbsent = !live.contains(entry.key)
      return report
    }
    let missing = live.subtracting(reports.map(\.key))
    self += missing.map {
      ServerReport(name: keys.server(of: $0), revision: nil, failure: "its report is missing", timestamp: 0)
    }
    sort { $0.name < $1.name }
  }
}
