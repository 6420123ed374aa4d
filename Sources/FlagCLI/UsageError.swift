/// A command line that means nothing, and what would.
struct UsageError: Error, Equatable {
  let message: String
}
