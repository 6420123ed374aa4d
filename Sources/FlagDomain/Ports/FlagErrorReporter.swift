/// A receiver of the errors that occur while flags are resolved, for logs and dashboards.
public protocol FlagErrorReporter: Sendable {
  /// Reports an error.
  ///
  /// It is called on the thread that resolved the flag, with no lock held, and may read flags. An error is reported
  /// once per provider snapshot, flag and message: not at each read, and not again after an unrelated change.
  func report(_ error: FlagError)
}
