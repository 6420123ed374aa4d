import FlagDomain

extension Arguments {
  /// Returns the time that is the value of an option that was read, in seconds since 1970.
  mutating func time(of option: String) throws(UsageError) -> Int64 {
    let text = try value(of: option)
    guard let time = Int64(time: text) else {
      throw UsageError(
        "\(option) is a time such as 2027-01-15T08:00:00Z, or a number of seconds since 1970, found \(text.excerpt)")
    }
    return time
  }
}

extension CommandOption {
  /// The option of the time that rules see.
  static let timestamp = CommandOption(
    "--timestamp", .text("TIME"), "the time that rules see, as 2027-01-15T08:00:00Z or seconds since 1970 (now)")
}

extension Int64 {
  /// Reads a time: a whole number of seconds since 1970, or a time of RFC 3339 with a zone.
  init?(time text: some StringProtocol) {
    if let seconds = Int64(text), seconds >= 0 {
      self = seconds
    } else if let time = Timestamp(String(text)) {
      self = time.secondsSince1970
    } else {
      return nil
    }
  }
}
