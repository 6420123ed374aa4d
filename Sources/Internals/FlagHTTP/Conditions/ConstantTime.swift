/// Comparison of secrets in constant time.
package enum ConstantTime {
  /// Returns whether a text equals a secret, in a time that depends on the length of the text alone.
  ///
  /// The time reveals neither how many characters were right nor how long the secret is. An empty secret equals
  /// nothing,
  /// so an empty token file lets nobody in.
  package static func equals(_ text: some Collection<UInt8>, secret: [UInt8]) -> Bool {
    guard !secret.isEmpty else { return false }
    var difference = UInt(bitPattern: text.count ^ secret.count)
    var index = 0
    for byte in text {
      difference |= UInt(byte ^ secret[index])
      index = index + 1 == secret.count ? 0 : index + 1
    }
    return difference == 0
  }
}
