import Foundation
import Testing

@testable import FlagServer

@Suite("The mailbox of a loop")
struct MailboxTests {
  @Test("A client that a loop was handed and never took is let go of when the loop is over, and a later one at once")
  func dropsClients() throws {
    let mailbox = try Mailbox()
    weak var early: Descriptor?
    weak var late: Descriptor?
    do {
      let (one, two) = (try Self.descriptor(), try Self.descriptor())
      (early, late) = (one, two)
      mailbox.post(.connected(one, Self.peer))
      #expect(early != nil)
      mailbox.close()
      mailbox.post(.connected(two, Self.peer))
    }
    #expect(early == nil && late == nil)
    #expect(mailbox.take().isEmpty)
  }

  private static let peer = Peer(address: "127.0.0.1", port: 1)

  private static func descriptor() throws -> Descriptor {
    let number = open("/dev/null", O_RDONLY)
    try #require(number >= 0)
    return try Descriptor(number)
  }
}
