import Foundation

/// A thread with as little stack as threads of Apple's systems have: 512 KB.
enum SmallStack {
  static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let thread = Thread { continuation.resume(with: Result { try work() }) }
      thread.stackSize = 512 * 1024
      thread.start()
    }
  }
}
