extension UnsafeMutablePointer where Pointee: ~Copyable {
  /// Allocates memory for elements, which a closure creates; ``free(count:)`` ends both.
  @inlinable
  package static func allocate(_ count: Int, _ make: () -> Pointee) -> Self {
    let elements = Self.allocate(capacity: count)
    for index in 0..<count { unsafe (elements + index).initialize(to: make()) }
    return unsafe elements
  }

  /// Releases elements and their memory, given the number that was allocated.
  @inlinable
  package func free(count: Int) {
    unsafe deinitialize(count: count)
    unsafe deallocate()
  }
}
