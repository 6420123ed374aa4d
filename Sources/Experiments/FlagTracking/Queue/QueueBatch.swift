/// Lines of a queue that are sent together, under an id that they keep until they are sent.
struct QueueBatch: Equatable, Sendable {
  /// The limits of a new batch, which has at least one line.
  struct Limits: Equatable, Sendable {
    var events: Int
    var bytes: Int
  }

  /// Where a queue is.
  enum Place { case disk, memory }

  var place = Place.disk
  var id: String
  var lines: [[UInt8]]
}
