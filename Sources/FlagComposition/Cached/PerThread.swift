/// A table with one element for each thread that has a number, in separate cache lines.
///
/// Memory safety, hence `@unchecked Sendable`: the elements are created in `init`, never move, and are freed in
/// `deinit`, when no thread can be inside a method, since that borrows the table. The pointer to them is a `let`.
/// ``own`` and ``held`` are the element of the calling thread alone: the previous owner of its number gave it back with
/// release order, and the thread took it with acquire order. ``forEach(_:)`` lends elements of other threads, for
/// access to their atomics.
@safe
struct PerThread<Element: ~Copyable>: ~Copyable, @unchecked Sendable {
  private let elements: UnsafeMutableRawPointer
  /// A copy, since accessing a global costs as much as everything else here.
  private let numbers = ThreadNumbers.all

  /// Two lines of 64 bytes: processors fetch lines in pairs.
  private static var stride: Int { (MemoryLayout<Element>.size + 127) & ~127 }

  init(_ make: () -> Element) {
    unsafe elements = .allocate(byteCount: ThreadNumbers.limit * Self.stride, alignment: 128)
    for number in 0..<ThreadNumbers.limit {
      unsafe (elements + number * Self.stride).bindMemory(to: Element.self, capacity: 1).initialize(to: make())
    }
  }

  deinit {
    for number in 0..<ThreadNumbers.limit { unsafe element(number).deinitialize(count: 1) }
    unsafe elements.deallocate()
  }

  /// The calling thread's element; nil for a thread without a number.
  @inline(__always)
  var own: UnsafeMutablePointer<Element>? {
    guard let number = numbers.current else { return nil }
    return unsafe element(number)
  }

  /// The calling thread's element; nil for a thread that has not taken a number.
  @inline(__always)
  var held: UnsafeMutablePointer<Element>? {
    guard let number = numbers.held else { return nil }
    return unsafe element(number)
  }

  /// Lends the element of every thread that had a number to a closure, which may access only its atomics.
  func forEach(_ body: (borrowing Element) -> Void) {
    for number in 0..<ThreadNumbers.end { unsafe body(element(number).pointee) }
  }

  @inline(__always)
  private func element(_ number: Int) -> UnsafeMutablePointer<Element> {
    unsafe (elements + number &* Self.stride).assumingMemoryBound(to: Element.self)
  }
}
