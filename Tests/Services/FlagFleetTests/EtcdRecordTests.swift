import FlagDefinitions
import FlagPublishing
import Testing

@testable import FlagFleet

@Suite("What the keys of a set hold")
struct EtcdRecordTests {
  /// What one version writes has to be readable for as long as sets live.
  private static let first =
    #"{"author":"ann","chunks":1,"fingerprint":"101849b299a9e08a1bb0a490ee4b87f5be5a4c938f7b19b989466e3f0d31284b","#
    + #""number":1,"reason":"to \"begin\" – é/","size":86,"timestamp":1795487413,"write":"243f88a7d58ce575-e4"}"#
  private static let second =
    #"{"author":"ann","chunks":1,"fingerprint":"153744a14bbc0fa35bb982c47ba1d87205174aa9fdb95b751abfe188cf6662f0","#
    + #""number":2,"reason":"","size":86,"timestamp":1795487413,"write":"7a842553455f8697-94"}"#

  private static let revision = EtcdRevision(
    number: 1, fingerprint: "101849b299a9e08a1bb0a490ee4b87f5be5a4c938f7b19b989466e3f0d31284b", author: "ann",
    reason: "to \"begin\" – é/", timestamp: 1_795_487_413, chunks: 1, size: 86, write: "243f88a7d58ce575-e4")

  @Test("A revision is read and written byte for byte")
  func keepsRevisions() throws {
    #expect(try EtcdRevision(Array(Self.first.utf8)) == Self.revision)
    #expect(Self.revision.bytes == Array(Self.first.utf8))
    #expect(
      Self.revision.published
        == PublishedRevision(
          number: 1, fingerprint: Self.revision.fingerprint,
          note: PublicationNote(author: "ann", reason: "to \"begin\" – é/"), timestamp: 1_795_487_413))
  }

  @Test("A head is read and written byte for byte, with a candidate and without one")
  func keepsHeads() throws {
    let alone = #"{"format":1,"revision":\#(Self.first),"write":"7a"}"#
    let head = try EtcdHead(Array(alone.utf8))
    #expect(head == EtcdHead(revision: Self.revision, write: "7a"))
    #expect(head.bytes == Array(alone.utf8))
    let staged =
      #"{"candidate":{"percent":5,"revision":\#(Self.second)},"format":1,"revision":\#(Self.first),"write":"7a"}"#
    let both = try EtcdHead(Array(staged.utf8))
    #expect(both.published.candidate?.revision.number == 2)
    #expect(both.published.candidate?.percent == 5)
    #expect(both.bytes == Array(staged.utf8))
  }

  @Test(
    "A report is read and written byte for byte",
    arguments: [
      (#"{"timestamp":3}"#, EtcdReport(timestamp: 3)),
      (#"{"revision":2,"timestamp":3}"#, EtcdReport(revision: 2, timestamp: 3)),
      (#"{"failure":"no","revision":2,"timestamp":3}"#, EtcdReport(revision: 2, failure: "no", timestamp: 3)),
    ])
  func keepsReports(text: String, report: EtcdReport) throws {
    #expect(try EtcdReport(Array(text.utf8)) == report)
    #expect(report.bytes == Array(text.utf8))
    #expect(
      ServerReport(name: "web", etcd: Array(text.utf8))
        == ServerReport(name: "web", revision: report.revision, failure: report.failure, timestamp: 3))
  }

  @Test("Members that a version does not know are passed over; note and writer may be missing")
  func isLax() throws {
    let text = Self.second.replacing(/"author":"ann",|"reason":"",|,"write":"[^"]*"/, with: "")
      .replacing("{", with: #"{"new":[1],"#)
    let revision = try EtcdRevision(Array(text.utf8)).published
    #expect(revision.number == 2)
    #expect(revision.note == PublicationNote(author: ""))
  }

  @Test(
    "A record that no publisher writes is an error with its line, column and path",
    arguments: [
      ("{", "line 1, column 2: expected a name in quotation marks, found the end of the document"),
      ("[]", "line 1, column 1: $: expected a value as publishers write it, found an empty array"),
      (#"{"format":2}"#, "line 1, column 11: $.format: expected 1, found the integer 2"),
      (#"{"format":1}"#, "line 1, column 1: $.revision: expected a value as publishers write it, found nothing"),
      (
        "{\"format\":1,\n\"revision\":" + first.replacing("\"number\":1", with: "\"number\":\"1\"") + "}",
        "line 2, column 129: $.revision.number: expected a value as publishers write it, found the string \"1\""
      ),
      (head(first, "\"number\":1", "\"number\":0"), "$.revision.number: "),
      (head(first, "\"chunks\":1", "\"chunks\":10000"), "$.revision.chunks: "),
      (head(first, "\"size\":86", "\"size\":-1"), "$.revision.size: "),
      (head(first, "\"fingerprint\":\"1", "\"fingerprint\":\"X"), "$.revision.fingerprint: "),
      (
        #"{"candidate":{"percent":0,"revision":\#(second)},"format":1,"revision":\#(first)}"#,
        "$.candidate.percent: expected a value as publishers write it, found the integer 0"
      ),
    ] as [(String, String)])
  func refuses(text: String, problem: String) throws {
    let error = #expect(throws: EtcdError.self) { try EtcdHead(Array(text.utf8)) }
    guard case .malformed(let message, _)? = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(message.contains(problem), "\(message)")
  }

  private static func head(_ revision: String, _ old: String, _ new: String) -> String {
    #"{"format":1,"revision":\#(revision.replacing(old, with: new))}"#
  }
}
