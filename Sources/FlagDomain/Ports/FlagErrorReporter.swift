/// A receiver of the errors that occur while flags are resolved, for logs and dashboards.
public protocol FlagErrorReporter: Sendable {
  /// Reports an error.
  ///
  /// It is called on the thread that resolved the flag or changed the provider, with no lock held, and may read flags:
  /// the errors of these reads are reported after it has returned.
  ///
  /// - *Flags.* An error is reported once per provider snapshot, flag and message: not at each read, and not again
  ///   after an unrelated change.
  /// - *Providers.* The failure of a provider as a whole has no key. Each cause of an outage is reported once, with a
  ///   code such as `UNREACHABLE` or `UNAUTHORIZED`, and then its end, with the code `PROVIDER_READY`.
  func report(_ error: FlagError)
}
