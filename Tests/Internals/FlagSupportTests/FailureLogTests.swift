import FlagDomain
import FlagSupport
import Testing

@Suite("Failures of work that is done again and again")
struct FailureLogTests {
  @Test("Each cause is reported once until the work succeeds, and then the end of all")
  func reportsOnce() {
    var log = FailureLog(end: "it is over", provider: "p")
    let (full, denied) = (FlagError(.general, "full"), FlagError(.general, "denied"))
    let attempts = [nil, full, full, denied, full, nil, nil, full]
    let end = FlagError(.providerReady, "it is over", provider: "p")
    #expect(attempts.map { log.record($0) } == [nil, full, nil, denied, nil, end, nil, full])
  }

  @Test("Causes without end are reported up to a number")
  func isBounded() {
    var log = FailureLog(end: "over")
    #expect((0..<1000).compactMap { log.record(FlagError(.general, "\($0)")) }.count == 100)
  }
}
