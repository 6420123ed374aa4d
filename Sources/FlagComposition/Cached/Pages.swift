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

  init() {
    unsafe pages = .allocate(capacity: Self.pageCount)
    for page in 0..<Self.pageCount { unsafe (pages + page).initialize(to: Atomic(nil)) }
  }

  deinit {
    for page in 0..<Self.pageCount {
      if let elements = unsafe pages[page].load(ordering: .acquiring) { unsafe Self.free(elements, page: page) }
    }
    unsafe pages.deinitialize(count: Self.pageCount)
    unsafe pages.deallocate()
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
    let elements = UnsafeMutablePointer<Element>.allocate(capacity: 64 << page)
    for offset in 0..<(64 << page) { unsafe (elements + offset).initialize(to: make()) }
    let (isFirst, first) = unsafe pages[page].compareExchange(
      expected: nil, desired: elements, ordering: .acquiringAndReleasing)
    guard !isFirst, let first = unsafe first else { return unsafe elements + offset }
    unsafe Self.free(elements, page: page)
    return unsafe first + offset
  }

  @inline(__always)
  private static func location(of index: Int) -> (page: Int, offset: Int) {
    let shifted = UInt(bitPattern: index) &+ 64
    let page = UInt.bitWidth &- 7 &- shifted.leadingZeroBitCount
    return (page, Int(bitPattern: shifted &- (64 &<< UInt(bitPattern: page))))
  }

  private static func free(_ elements: UnsafeMutablePointer<Element>, page: Int) {
    unsafe elements.deinitialize(count: 64 << page)
    unsafe elements.deallocate()
  }
}
