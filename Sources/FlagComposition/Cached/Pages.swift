import FlagDomain
import Synchronization

/// A table of elements that are created in pages, and found by an index without a lock.
///
/// Memory safety, hence `@unchecked Sendable`: a page is allocated once, published by a compare-exchange with release
/// order, read with acquire order, never moved, and freed in `deinit`, when no thread can be inside a method, since
/// that borrows the table. The pointer to the pages is a `let`. Elements synchronize access to their own contents.
@safe
struct Pages<Element: ~Copyable & Sendable>: ~Copyable, @unchecked Sendable {
  private let pages: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<Element>?>>

  /// Page `n` holds `64 << n` elements; 58 pages would hold every possible index.
  private static var pageCount: Int { 32 }

  init() { unsafe pages = .allocate(Self.pageCount) { unsafe Atomic(nil) } }

  deinit {
    for page in 0..<Self.pageCount {
      if let elements = unsafe pages[page].load(ordering: .acquiring) { unsafe elements.free(count: 64 << page) }
    }
    unsafe pages.free(count: Self.pageCount)
  }

  /// Returns the element at an index; nil if its page has not been created.
  @inline(__always)
  func element(at index: Int) -> UnsafeMutablePointer<Element>? {
    let (page, offset) = Self.location(of: index)
    guard let elements = unsafe pages[page].load(ordering: .acquiring) else { return nil }
    return unsafe elements + offset
  }

  /// Returns the element at an index; if its page has not been created, a closure creates each of its elements.
  func element(at index: Int, orMake make: () -> Element) -> UnsafeMutablePointer<Element> {
    let (page, offset) = Self.location(of: index)
    if let elements = unsafe pages[page].load(ordering: .acquiring) { return unsafe elements + offset }
    let elements = unsafe UnsafeMutablePointer<Element>.allocate(64 << page, make)
    let (isFirst, first) = unsafe pages[page].compareExchange(
      expected: nil, desired: elements, ordering: .acquiringAndReleasing)
    guard !isFirst, let first = unsafe first else { return unsafe elements + offset }
    unsafe elements.free(count: 64 << page)
    return unsafe first + offset
  }

  @inline(__always)
  private static func location(of index: Int) -> (page: Int, offset: Int) {
    let shifted = UInt(bitPattern: index) &+ 64
    let page = UInt.bitWidth &- 7 &- shifted.leadingZeroBitCount
    return (page, Int(bitPattern: shifted &- (64 &<< UInt(bitPattern: page))))
  }
}
