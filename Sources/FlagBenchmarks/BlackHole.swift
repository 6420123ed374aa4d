import AllocationCounter

/// Keeps the compiler from leaving out the computation of a value, and from moving it out of a loop.
@inline(__always)
func blackHole<Value>(_ value: Value) {
  // The pointer is not kept and not read: the callee is an empty assembler statement.
  withUnsafePointer(to: value) { allocation_counter_black_hole($0) }
}
