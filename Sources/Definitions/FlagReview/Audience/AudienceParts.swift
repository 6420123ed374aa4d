import FlagDefinitions
import FlagDomain

/// The segments of an audience by the values of an attribute; one segment if there is no attribute.
struct AudienceParts {
  private let path: [String]
  private var values: [AudiencePart.Value] = []
  private var numbers: [String: Int] = [:]

  /// The maximum number of segments; further values count as `.others`.
  private static let maximumValues = 100

  init(by attribute: String?) { path = (attribute ?? "").split(separator: ".").map(String.init) }

  var count: Int { max(1, values.count) }

  /// Returns the number of the segment that a user belongs to, and adds the steps for finding it.
  mutating func part(of attributes: [String: FlagValue], counting work: inout Int) -> Int {
    guard let first = path.first else { return 0 }
    let value = path.dropFirst().reduce(attributes.member(first)) { $0?.fields?.member($1) }
    let text = value.map { "\($0)" } ?? ""
    work += 1 + text.utf8.count / ByteCost.perStep
    if let number = numbers[text] { return number }
    let isOther = value != nil && values.count >= Self.maximumValues
    return number(of: isOther ? "others" : text, isOther ? .others : value.map { .value($0) } ?? .none)
  }

  /// Returns the number of a segment; the text of users without a value is not JSON.
  private mutating func number(of text: String, _ value: AudiencePart.Value) -> Int {
    if let number = numbers[text] { return number }
    numbers[text] = values.count
    values.append(value)
    return values.count - 1
  }

  /// Returns the segments with the number of evaluated users, and the share of them whose outcome changes.
  func estimated(asked: [Int], moved: [Int]) -> [AudiencePart] {
    values.enumerated()
      .map { index, value in
        AudiencePart(
          value: value, users: asked[index], share: asked[index] == 0 ? 0 : Double(moved[index]) / Double(asked[index]))
      }
      .sorted { ($1.users, "\($0.value)") < ($0.users, "\($1.value)") }
  }
}
