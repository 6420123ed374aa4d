/// Hears of what fails while flags are resolved, for logs and dashboards.
public protocol FlagErrorReporter: Sendable {
  /// Takes note of a failure.
  ///
  /// It is called on the thread that resolved the flag, with no lock held, and may read flags. A failure whose
  /// resolution is kept is reported once, not at each read.
  func report(_ error: FlagError)
}
