import FlagDomain

/// The way from a document's outermost value to one inside of it.
public struct JSONPath: Hashable, Sendable {
  /// One step of the way: into a record, or into a list.
  public enum Step: Hashable, Sendable {
    /// To the field of this name.
    case name(String)
    /// To the element at this place, counted from zero.
    case index(Int)
  }

  /// The steps, outermost first.
  public private(set) var steps: [Step] = []

  /// The way to the outermost value.
  public static let root = JSONPath()
}

extension JSONPath {
  /// Returns the way to a field of the value at this path's end.
  func appending(_ name: String) -> JSONPath { appending(.name(name)) }

  /// Returns the way to an element of the value at this path's end.
  func appending(_ index: Int) -> JSONPath { appending(.index(index)) }

  /// Returns the way of the first steps.
  func prefix(_ count: Int) -> JSONPath {
    var path = self
    path.steps = Array(steps.prefix(count))
    return path
  }

  /// Returns whether this path goes through another one's end.
  func starts(with path: JSONPath) -> Bool { steps.starts(with: path.steps) }

  private func appending(_ step: Step) -> JSONPath {
    var path = self
    path.steps.append(step)
    return path
  }
}

extension JSONPath: CustomStringConvertible {
  /// The path as text: `$` for the outermost value, `.name` for a field, `[index]` for an element.
  public var description: String { steps.reduce(into: "$") { $0 += $1.description } }
}

extension JSONPath.Step: CustomStringConvertible {
  /// The step as text; a name with special characters stands in brackets and quotation marks.
  public var description: String {
    switch self {
    case .index(let index): "[\(index)]"
    case .name(let name) where name.isPlain: ".\(name)"
    case .name(let name): "[\(FlagValue.string(name))]"
    }
  }
}

extension String {
  fileprivate var isPlain: Bool {
    !isEmpty
      && unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || "0"..."9" ~= $0 || "-_$".unicodeScalars.contains($0)
      }
  }
}
