import Foundation

do {
  try await Benchmarks(Arguments(CommandLine.arguments.dropFirst())).run()
} catch let error as UsageError {
  FileHandle.standardError.write(Data("\(error.message); \(Arguments.usage)\n".utf8))
  exit(64)
} catch let error as MissedLimits {
  FileHandle.standardError.write(Data((error.messages.joined(separator: "\n") + "\n").utf8))
  exit(1)
}
