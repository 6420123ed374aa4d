extension Int {
  /// The number with a noun, which is in the plural unless there is one: "1 flag", "2 flags".
  package func counted(_ one: String, _ many: String? = nil) -> String {
    "\(self) \(self == 1 ? one : many ?? one + "s")"
  }
}
