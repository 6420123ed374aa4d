/// An error in the computation of a statistic: a code, the affected argument, and a message.
///
/// It does not necessarily mean that an experiment is broken: with few users, or a metric that is the same for
/// everyone, the variance cannot be estimated, and there is no relative effect over a baseline of 0.
public struct StatisticsError: Error, Hashable, Sendable {
  /// The kind of error.
  public let code: Code
  /// The subject of the error: a group such as "control", or a parameter such as "power".
  package let subject: String
  /// The message, with the expected and the found value.
  public let message: String

  /// Creates an error.
  package init(_ code: Code, _ subject: String, _ message: String) {
    self.code = code
    self.subject = subject
    self.message = message
  }

  /// The kind of an error.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code's name in documents.
    public let rawValue: String

    /// Creates a code from its name; any name is accepted, because the set is open.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The code's name in documents.
    public var description: String { rawValue }

    /// A group has fewer than two users.
    package static let tooFewUsers = Self(rawValue: "TOO_FEW_USERS")
    /// The values of a group are all equal, up to rounding.
    package static let noVariance = Self(rawValue: "NO_VARIANCE")
    /// Both groups together have too few conversions for a verdict.
    package static let tooFewConversions = Self(rawValue: "TOO_FEW_CONVERSIONS")
    /// The baseline of a relative effect is 0.
    package static let zeroBaseline = Self(rawValue: "ZERO_BASELINE")
    /// A sum, or the result itself, is infinite or not a number.
    package static let notFinite = Self(rawValue: "NOT_FINITE")
    /// A parameter or an aggregate is impossible, such as more successes than users.
    package static let invalidArgument = Self(rawValue: "INVALID_ARGUMENT")
  }
}

extension StatisticsError: CustomStringConvertible {
  /// The error in one line: code, subject and message.
  public var description: String { "\(code) (\(subject)): \(message)" }
}

extension StatisticsError {
  /// Throws if a number is not finite or out of a range.
  static func check(
    _ value: Double, _ subject: String, is expected: String, _ isValid: (Double) -> Bool
  ) throws(StatisticsError) {
    guard value.isFinite, isValid(value) else {
      throw StatisticsError(.invalidArgument, subject, "\(value), expected \(expected)")
    }
  }
}
