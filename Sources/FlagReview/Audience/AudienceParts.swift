import FlagDefinitions
import FlagDomain

/// The users of an audience by what they have of an attribute; without one they are one part.
struct AudienceParts {
  private let path: [String]
  private var values: [AudiencePart.Value] = []
  private var numbers: [String: Int] = [:]

  /// How many values are told apart; whoever comes later with another one is one of the others.
  private static let maximumValues = 100

  init(by attribute: String?) { path = (attribute ?? "").split(separator: ".").map(String.init) }

  var count: Int { max(1, values.count) }
}

extension AudienceParts {
  /// Returns the number of the part that a user is in, and adds the steps that finding it takes.
  mutating func part(of attributes: [String: FlagValue], counting work: inout Int) -> Int {
    guard let first = path.first else { return 0 }
    let value = path.dropFirst().reduce(attributes.member(first)) { $0?.fields?.member($1) }
    let text = value.map { "\($0)" } ?? ""
    work += 1 + text.utf8.count / ByteCost.perStep
    if let number = numbers[text] { return number }
    let isOther = value != nil && values.count >= Self.maximumValues
    return number(of: isOther ? "others" : text, isOther ? .others : value.map { .value($0) } ?? .none)
  }

  /// Returns the number of a part; no JSON is the text of those that have no value.
  private mutating func number(of text: String, _ value: AudiencePart.Value) -> Int {
    if let number = numbers[text] { return number }
    numbers[text] = values.count
    values.append(value)
    return values.count - 1
  }

  /// Returns the parts with how many users were asked, and how many of them are given something else.
  func told(asked: [Int], moved: [Int]) -> [AudiencePart] {
    values.enumerated()
      .map { index, value in
        AudiencePart(
          value: value, users: asked[index], share: asked[index] == 0 ? 0 : Double(moved[index]) / Double(asked[index]))
      }
      .sorted { ($1.users, "\($0.value)") < ($0.users, "\($1.value)") }
  }
}
