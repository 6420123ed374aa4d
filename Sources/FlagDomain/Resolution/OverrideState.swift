/// The value of a flag, and whether it is overridden: for a boolean flag, four states.
public enum OverrideState<Value: Sendable>: Sendable {
  /// The flag is not overridden.
  case original(Value)
  /// The flag is overridden; the original is its value without the override.
  case overridden(Value, original: Value)
}

extension OverrideState: Equatable where Value: Equatable {}

extension OverrideState {
  /// The current value.
  public var value: Value {
    switch self {
    case .original(let value), .overridden(let value, _): value
    }
  }

  /// Whether the flag is overridden.
  public var isOverridden: Bool {
    if case .overridden = self { true } else { false }
  }
}

extension OverrideState: CustomStringConvertible {
  /// The state in words: `on`, `off`, `overridden on`, `overridden off`, or the value.
  public var description: String {
    let text = (value as? Bool).map { $0 ? "on" : "off" } ?? "\(value)"
    return isOverridden ? "overridden \(text)" : text
  }
}
