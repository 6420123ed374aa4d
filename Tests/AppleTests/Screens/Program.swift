// The program that a test compiles with a double of SwiftUI, and runs: the package's screens, and what people do on
// them. A test's number is that of `sources.md`.

import Testing

@main
struct Program {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
