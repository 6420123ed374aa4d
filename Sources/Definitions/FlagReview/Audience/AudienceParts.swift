import FlagDefinitions
import FlagDomain

/// The segments of an audience by the values of an attribute; none if there is no attribute.
struct AudienceParts {
  private let path: [String]
  private var all: [AudiencePart] = []
  private var numbers: [String: Int] = [:]

  /// The maximum number of segments; further values count as `.others`.
  private static let maximumValues = 100

  init(by attribute: String?) { path = (attribute ?? "").split(separator: ".").map(String.init) }

  /// The segments, that with the most users first.
  var sorted: [AudiencePart] { all.sorted { ($1.users, "\($0.value)") < ($0.users, "\($1.value)") } }

  /// Counts a user in a segment, and adds the steps for finding it.
  mutating func count(_ attributes: [String: FlagValue], isMoved: Bool, counting work: inout Int) {
    guard let first = path.first else { return }
    let value = path.dropFirst().reduce(attributes.member(first)) { $0?.fields?.member($1) }
    let text = value.map { "\($0)" } ?? ""
    work += 1 + text.utf8.count / ByteCost.perStep
    let isOther = numbers[text] == nil && value != nil && all.count >= Self.maximumValues
    let number = number(of: isOther ? "others" : text, isOther ? .others : value.map { .value($0) } ?? .none)
    all[number].users += 1
    if isMoved { all[number].moved += 1 }
  }

  /// Returns the number of a segment; the text of users without a value is not JSON.
  private mutating func number(of text: String, _ value: AudiencePart.Value) -> Int {
    if let number = numbers[text] { return number }
    numbers[text] = all.count
    all.append(AudiencePart(value: value))
    return all.count - 1
  }
}
