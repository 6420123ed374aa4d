enum AnyCodingKey: CodingKey {
  case field(String)
  case element(Int)

  init(stringValue: String) { self = .field(stringValue) }
  init(intValue: Int) { self = .element(intValue) }

  var stringValue: String {
    switch self {
    case .field(let name): name
    case .element(let index): "\(index)"
    }
  }

  var intValue: Int? {
    if case .element(let index) = self { index } else { nil }
  }
}
