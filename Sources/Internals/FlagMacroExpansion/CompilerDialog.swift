import Foundation

/// The exchange of messages between the compiler and its plugin, over the plugin's standard streams.
package enum CompilerDialog {
  /// Answers requests until the compiler closes the stream.
  package static func run() throws {
    let stream = MessageStream(input: .standardInput, output: .standardOutput)
    while let question: Question = try stream.receive() {
      try stream.send(answer(to: question))
    }
  }

  static func answer(to question: Question) -> Answer {
    switch question {
    case .capability: .capability
    case .expansion(let request): .expansion(request.expanded())
    case .unknown: .expansion(ExpansionResult(nil))
    }
  }
}
