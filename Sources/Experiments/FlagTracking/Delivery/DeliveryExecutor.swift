import Dispatch

/// A thread of its own, on which an actor, or a task, runs even if all threads of the cooperative pool are busy.
final class DeliveryExecutor: SerialExecutor, TaskExecutor {
  // A serial queue gets a thread from the system whenever it has work.
  private let queue: DispatchQueue

  init(_ name: String) { queue = DispatchQueue(label: name) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in
      unsafe job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }
  }
}
