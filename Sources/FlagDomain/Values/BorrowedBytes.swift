/// Bytes that another value owns, lent to a closure.
///
/// Memory safety, hence `@safe`:
/// - Every access compares its offset with the count, in optimized code, too.
/// - The bytes are not used after their memory is freed: a value cannot be copied, and a closure gets it borrowed, so
///   cannot keep it. Creating one is marked; what creates it lends it while the memory is borrowed, or never frees it.
/// - Nothing writes the bytes while they are lent.
///
/// It is not a `Span`, because that of an array needs macOS 26 and iOS 26, and every other one needs a library that an
/// app for older systems would have to include.
@safe @usableFromInline
package struct BorrowedBytes: ~Copyable {
  @usableFromInline let bytes: UnsafeRawBufferPointer
  @usableFromInline package let count: Int

  /// Borrows memory, which must stay as it is until the end of the value.
  @unsafe @inlinable @inline(__always)
  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    unsafe self.bytes = UnsafeRawBufferPointer(bytes)
    count = bytes.count
  }

  /// Borrows a part of such memory.
  @unsafe @inlinable @inline(__always)
  package init(rebasing slice: Slice<UnsafeBufferPointer<UInt8>>) {
    unsafe self.init(UnsafeBufferPointer(rebasing: slice))
  }

  /// Returns the byte at an offset, which must be inside.
  @inlinable @inline(__always)
  package subscript(offset: Int) -> UInt8 {
    precondition(offset >= 0 && offset < count, "an offset outside the bytes")
    return unsafe bytes[offset]
  }

  /// Returns the number whose bytes begin at an offset, in the order of memory; all of them must be inside.
  @inlinable @inline(__always)
  package func load<Word: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Word.Type) -> Word {
    precondition(offset >= 0 && count - offset >= MemoryLayout<Word>.size, "an offset outside the bytes")
    return unsafe bytes.loadUnaligned(fromByteOffset: offset, as: Word.self)
  }

  /// Appends the bytes to an array.
  package func append(to array: inout ContiguousArray<UInt8>) { unsafe array.append(contentsOf: bytes) }

  /// Copies the bytes from an offset, which must be inside, into memory that has room for as many as it takes.
  @unsafe
  package func copy(from offset: Int, to memory: UnsafeMutableRawBufferPointer) {
    precondition(offset >= 0 && offset <= count && memory.count <= count - offset, "an offset outside the bytes")
    unsafe memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + memory.count]))
  }

  /// Returns the text in a range, which must be inside; what is no UTF-8 is replaced.
  @inlinable
  package func text(in range: Range<Int>) -> String {
    // A buffer compares only in unoptimized code.
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "an offset outside the bytes")
    return unsafe String(decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }
}

@available(*, unavailable, message: "Bytes are lent to one thread.")
extension BorrowedBytes: Sendable {}

extension BorrowedBytes {
  /// Whether none is above 127; one pass without branches.
  package var isASCII: Bool { unsafe bytes.reduce(0, |) < 0x80 }

  /// Returns whether others are the same, eight at a time; the last eight may overlap.
  @inlinable
  package func isIdentical(to other: borrowing BorrowedBytes) -> Bool {
    guard count == other.count else { return false }
    let word = MemoryLayout<UInt64>.size
    var place = 0
    guard count >= word else {
      while place < count {
        if self[place] != other[place] { return false }
        place += 1
      }
      return true
    }
    while place < count - word {
      if load(at: place, as: UInt64.self) != other.load(at: place, as: UInt64.self) { return false }
      place += word
    }
    return load(at: count - word, as: UInt64.self) == other.load(at: count - word, as: UInt64.self)
  }

  /// Returns a number below, at or above zero if they are before others, the same, or after them: by their count, and
  /// then byte by byte.
  @inlinable
  package func order(to other: borrowing BorrowedBytes) -> Int {
    if count != other.count { return count - other.count }
    var place = 0
    while place < count {
      if self[place] != other[place] { return Int(self[place]) - Int(other[place]) }
      place += 1
    }
    return 0
  }
}

extension String {
  /// Lends the text's UTF-8 to a closure; a bridged string, which may not have it in one piece, is copied then.
  @inlinable @inline(__always)
  package func withBytes<Result>(_ body: (borrowing BorrowedBytes) -> Result) -> Result {
    if let result = withBytesIfContiguous(body) { return result }
    var copy = self
    return copy.withUTF8 { unsafe body(BorrowedBytes($0)) }
  }

  /// Lends the text's UTF-8 to a closure; returns nil for a bridged string that does not have it in one piece.
  @inlinable @inline(__always)
  package func withBytesIfContiguous<Result>(_ body: (borrowing BorrowedBytes) -> Result) -> Result? {
    unsafe utf8.withContiguousStorageIfAvailable { unsafe body(BorrowedBytes($0)) }
  }
}

extension Collection<UInt8> {
  /// Lends the bytes to a closure; a collection that has them not in one piece is copied.
  @inlinable @inline(__always)
  package func withBytes<Result>(_ body: (borrowing BorrowedBytes) -> Result) -> Result {
    if let result = withContiguousStorageIfAvailable({ unsafe body(BorrowedBytes($0)) }) { return result }
    return unsafe ContiguousArray(self).withUnsafeBufferPointer { unsafe body(BorrowedBytes($0)) }
  }
}
