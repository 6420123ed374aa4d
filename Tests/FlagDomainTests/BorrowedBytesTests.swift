import Testing

@testable import FlagDomain

@Suite("Borrowed bytes")
struct BorrowedBytesTests {
  @Test("Bytes are the same, before or after others as their collections are, at any length", arguments: 0...20)
  func comparisons(count: Int) {
    let bytes = (0..<count).map { UInt8($0) }
    #expect(Self.isIdentical(bytes, bytes) && Self.order(bytes, bytes) == 0)
    #expect(!Self.isIdentical(bytes, bytes + [0]) && Self.order(bytes, bytes + [0]) < 0)
    for place in bytes.indices {
      var other = bytes
      other[place] += 1
      #expect(!Self.isIdentical(bytes, other) && Self.order(bytes, other) < 0 && Self.order(other, bytes) > 0)
    }
  }

  @Test("A number is read at any offset at which all of its bytes are inside")
  func numbers() {
    let bytes = (0..<12).map { UInt8($0) }
    let words = bytes.withBytes { bytes in (0...8).map { bytes.load(at: $0, as: UInt32.self) } }
    #expect(words == (0...8).map { UInt32(littleEndian: UInt32(0x0302_0100) + UInt32($0) * 0x0101_0101) })
    #expect(bytes.withBytes { $0.load(at: 4, as: UInt64.self) } == UInt64(littleEndian: 0x0b0a_0908_0706_0504))
  }

  @Test("A collection that is not in one piece is copied, and what is no UTF-8 is replaced in a text")
  func collections() {
    let pieces: [[UInt8]] = [[0x61], [0xC3, 0xA4], [0xFF]]
    #expect(pieces.joined().withBytes { $0.text(in: 0..<4) } == "aä\u{FFFD}")
    #expect("aä".withBytes { $0.text(in: 0..<$0.count) } == "aä")
    #expect("aä".withBytes { $0.isASCII } == false && "a".withBytes { $0.isASCII } && "".withBytes { $0.isASCII })
  }

  private static let three: [UInt8] = [1, 2, 3]

  #if os(macOS) || os(Linux)
    @Test("What is outside of the bytes is never read or copied, but ends the program")
    func bounds() async {
      await #expect(processExitsWith: .failure) { BorrowedBytesTests.three.withBytes { _ = $0[3] } }
      await #expect(processExitsWith: .failure) { BorrowedBytesTests.three.withBytes { _ = $0[-1] } }
      await #expect(processExitsWith: .failure) {
        _ = BorrowedBytesTests.three.withBytes { $0.load(at: 0, as: UInt32.self) }
      }
      await #expect(processExitsWith: .failure) { BorrowedBytesTests.three.withBytes { _ = $0.text(in: 2..<4) } }
      await #expect(processExitsWith: .failure) {
        BorrowedBytesTests.three.withBytes { bytes in
          var room: UInt32 = 0
          withUnsafeMutableBytes(of: &room) { bytes.copy(from: 0, to: $0) }
        }
      }
    }
  #endif

  private static func isIdentical(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.withBytes { left in right.withBytes { right in left.isIdentical(to: right) } }
  }

  private static func order(_ left: [UInt8], _ right: [UInt8]) -> Int {
    left.withBytes { left in right.withBytes { right in left.order(to: right) } }
  }
}
