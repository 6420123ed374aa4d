extension FlagValue {
  /// Creates what a value encodes as, or its text where it cannot be encoded.
  package init(describing value: some Sendable) {
    self = .string("\(value)")
    guard let encodable = value as? any Encodable else { return }
    do throws(FlagError) {
      self = try FlagValue(encoding: encodable)
    } catch {
      return  // the text is what there is to say
    }
  }
}
