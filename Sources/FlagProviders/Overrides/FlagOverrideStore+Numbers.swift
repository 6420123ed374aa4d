import FlagDomain

extension FlagOverrideStore {
  /// Throws where values hold a number that JSON cannot hold.
  func checkNumbers(in values: [FlagKey: FlagValue?]) throws(FlagError) {
    guard let key = values.first(where: { $0.value?.isFinite == false })?.key else { return }
    throw FlagError(.typeMismatch, "expected finite numbers, which JSON can hold, found others", key: key)
  }
}

extension FlagValue {
  /// Whether JSON can hold every number of the value.
  fileprivate var isFinite: Bool {
    switch self {
    case .double(let number): number.isFinite
    case .array(let elements): elements.allSatisfy(\.isFinite)
    case .object(let fields): fields.values.allSatisfy(\.isFinite)
    default: true
    }
  }
}
