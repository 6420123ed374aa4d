import FlagDomain
import FlagFiles

/// A queue's file while it is locked: a state of fixed size, and the events after it as lines, oldest first.
///
/// Events are appended, and the state is overwritten in place: a new offset removes what is sent, and the file is cut
/// when all is sent. Only dropping events, and reclaiming the space of many sent ones, replace the file.
struct OpenQueue {
  let file: any QueueFile
  var state: QueueState
  /// The number of bytes of events; an incomplete line at the end, of a program that was killed, does not count.
  var size: Int
  /// Whether there is no file yet: the first change creates it.
  private var isNew = false
}

extension OpenQueue {
  static let lineFeed = UInt8(ascii: "\n")

  init(_ file: any QueueFile) throws(FlagError) {
    self.file = file
    (state, size) = (QueueState(), 0)
    guard let fileSize = try file.reading({ file throws(FileError) in try file.size() }) else {
      isNew = true
      return
    }
    let header = try read(from: -QueueState.headerBytes, to: 0)
    guard let state = QueueState(header: header) else {
      // A file without a state is none of ours.
      try replace(with: [])
      return
    }
    self.state = state
    size = try wholeLines(fileSize - QueueState.headerBytes)
    // The file is cut before its state is changed, so that a program can be killed in between.
    let end = state.claim?.end ?? state.start
    if end > size { try change { [size] in ($0.start, $0.claim) = (min($0.start, size), nil) } }
  }

  /// Returns the number of bytes up to the last line feed.
  private func wholeLines(_ size: Int) throws(FlagError) -> Int {
    var (start, end) = (max(0, size - 1), size)
    while end > 0 {
      if let index = try read(from: start, to: end).lastIndex(of: Self.lineFeed) { return start + index + 1 }
      (start, end) = (max(0, start - 65_536), start)
    }
    return 0
  }

  var unsentBytes: Int { size - state.start }

  /// The lines of all events that are not sent, oldest first.
  var unsentLines: [[UInt8]] {
    get throws(FlagError) { try events(from: state.start, to: size) }
  }

  /// Returns the lines of the events of a part, oldest first.
  func events(from start: Int, to end: Int) throws(FlagError) -> [[UInt8]] {
    try read(from: start, to: end).split(separator: Self.lineFeed).map { Array($0) }
  }

  /// Returns the lines of a part, oldest first.
  func lines(from start: Int, to end: Int) throws(FlagError) -> [QueueLine] {
    try events(from: start, to: end).map { QueueLine($0) }
  }

  func read(from start: Int, to end: Int) throws(FlagError) -> [UInt8] {
    if isNew { return [] }
    return try file.reading { file throws(FileError) in
      try file.bytes(from: QueueState.headerBytes + start, to: QueueState.headerBytes + end)
    }
  }

  /// Changes the state, in the slot that does not hold the present one.
  mutating func change(_ edit: (inout QueueState) -> Void) throws(FlagError) {
    var new = state
    edit(&new)
    guard new != state else { return }
    if isNew { return try replace(with: [], edit) }
    new.version += 1
    let slot = try new.slot
    try file.reading { file throws(FileError) in try file.write(slot, at: new.slotOffset) }
    state = new
  }

  /// Adds lines at the end.
  mutating func append(_ lines: [QueueLine]) throws(FlagError) {
    guard !lines.isEmpty else { return }
    if isNew { try replace(with: []) }
    let (bytes, end) = (lines.fileBytes, QueueState.headerBytes + size)
    do {
      try file.reading { file throws(FileError) in
        try file.truncate(to: end)
        try file.write(bytes, at: end)
      }
    } catch {
      // The events are appended again later, so that none of them may stay; the first error says more than a second.
      do throws(FlagError) {
        try file.reading { file throws(FileError) in try file.truncate(to: end) }
      } catch {}
      throw error
    }
    size += bytes.count
  }

  /// Removes all events, but not the state.
  mutating func truncate() throws(FlagError) {
    try file.reading { file throws(FileError) in try file.truncate(to: QueueState.headerBytes) }
    size = 0
  }

  /// Removes all but the batch that is being sent, and the losses that are being reported.
  mutating func removeWaiting() throws(FlagError) {
    let end = state.claim?.end ?? state.start
    try file.reading { file throws(FileError) in try file.truncate(to: QueueState.headerBytes + end) }
    size = end
    try change { ($0.losses, $0.kept) = (QueueLosses(), 1) }
  }

  /// Removes everything, which takes no room.
  mutating func clear() throws(FlagError) {
    guard !isNew else { return }
    try file.reading { file throws(FileError) in try file.truncate(to: 0) }
    (state, size) = (QueueState(), 0)
  }

  /// Replaces the file by one with other unsent events.
  mutating func replace(with lines: [UInt8], _ edit: (inout QueueState) -> Void = { _ in }) throws(FlagError) {
    var new = state
    new.version += 1
    new.start = 0
    edit(&new)
    let bytes = try new.header + lines
    try file.reading { file throws(FileError) in try file.replace(with: bytes) }
    (state, size, isNew) = (new, bytes.count - QueueState.headerBytes, false)
  }
}

extension QueueFile {
  /// Runs a closure, and converts its error.
  fileprivate func reading<Result>(
    _ body: (Self) throws(FileError) -> Result
  ) throws(FlagError) -> Result {
    do {
      return try body(self)
    } catch {
      throw FlagError(error)
    }
  }
}
