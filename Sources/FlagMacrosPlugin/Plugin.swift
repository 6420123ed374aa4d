import Foundation

/// The compiler's partner: it reads declarations and writes what they expand to.
@main
struct Plugin {
  static func main() throws {
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
