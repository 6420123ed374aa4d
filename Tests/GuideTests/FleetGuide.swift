import FlagDomain
import FlagFleet
import FlagRemote
import Testing

@Suite("Guide to a fleet")
struct FleetGuide {
  @Test("Settings name files of certificates")
  func namesCertificates() throws {
    var settings = try EtcdSettings(endpoints: ["https://etcd-0:2379"])
    // The files of the guide are nowhere here.
    #expect(throws: FlagError.self) {
      settings.certificates = try CertificateFiles(
        authorities: "/etc/flags/authority.pem", certificate: "/etc/flags/client.pem",
        key: "/etc/flags/client-key.pem")
    }
  }
}
