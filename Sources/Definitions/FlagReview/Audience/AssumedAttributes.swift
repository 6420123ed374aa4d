import FlagDomain
import FlagSupport

/// The attributes that users are assumed to have: those that rules read, with the values that rules compare them with.
struct AssumedAttributes {
  private var values: [String: [FlagValue]] = [:]
  /// The attributes that assign users to shares, which have a different value for each user.
  private var subjects: Set<String> = []

  private static let maximumValues = 32

  /// Collects attributes from a rule and the shared rules that it refers to, and adds a step for each part.
  ///
  /// - Returns: Whether the whole rule was visited; the search stops when it exceeds the limit of steps.
  mutating func collect(
    from rule: FlagValue, _ evaluators: [String: FlagValue], counting work: inout Int, atMost limit: Int
  ) -> Bool {
    var rest = [rule]
    var known: Set<String> = []
    while let value = rest.popLast() {
      work += 1
      guard work <= limit else { return false }
      rest += value.elements ?? value.fields.map { Array($0.values) } ?? []
      guard case .object(let members) = value, members.count == 1, let (name, argument) = members.first else {
        continue
      }
      if name == "$ref", case .string(let reference) = argument, known.insert(reference).inserted {
        rest += [evaluators.member(reference)].compactMap { $0 }
      }
      if name == "var" { values[argument.attributePath ?? "", default: []] += [] }
      if let parts = argument.elements { collect(name, parts) }
    }
    return true
  }

  /// Adds attributes that a rule reads, without the values that it compares them with.
  mutating func add(_ names: Set<String>) {
    for name in names { values[name, default: []] += [] }
  }

  private mutating func collect(_ operation: String, _ parts: [FlagValue]) {
    let names = parts.compactMap(\.variablePath)
    switch operation {
    case "fractional": subjects.formUnion(parts.first.map { Self.paths(in: $0) } ?? [])
    case "var": break
    case "sem_ver":
      let versions = parts.dropFirst(2).filter { $0.isScalar } + ["0.0.0", "99999.0.0"]
      for name in names { add(versions, to: name, isList: false) }
    case "if", "and", "or", "!", "!!":
      for name in names { add([true, false], to: name, isList: false) }
    default:
      let constants = parts.flatMap { $0.elements ?? [$0] }.filter { $0.isScalar && $0 != .null }
      for name in names { add(constants, to: name, isList: operation == "in" && parts[0].isScalar) }
    }
  }

  private mutating func add(_ constants: [FlagValue], to name: String, isList: Bool) {
    for constant in constants where (values[name]?.count ?? 0) < Self.maximumValues {
      let candidates: [FlagValue] =
        switch constant {
        case .int(let number): [.int(number &- 1), constant, .int(number &+ 1)]
        case .double(let number, _): [.double(number - 1), constant, .double(number + 1)]
        default: [isList ? .array([constant]) : constant]
        }
      for value in candidates where values[name]?.contains(value) != true { values[name, default: []].append(value) }
    }
  }

  private static func paths(in rule: FlagValue) -> [String] {
    var rest = [rule]
    var paths: [String] = []
    while let value = rest.popLast() {
      if let path = value.variablePath { paths.append(path) }
      rest += value.elements ?? value.fields.map { Array($0.values) } ?? []
    }
    return paths
  }

  struct Candidates {
    private var all: [(path: String, names: ArraySlice<String>, values: [FlagValue], isSubject: Bool)] = []

    init(_ assumed: AssumedAttributes) {
      for (path, values) in assumed.values.sorted(by: { $0.key < $1.key }) where AssumedAttributes.isFree(path) {
        let isSubject = assumed.subjects.contains(path)
        let other = isSubject ? nil : AssumedAttributes.other(than: values)
        let names = path.attributeNames
        all.append((path, names, values + [other].compactMap { $0 }, isSubject))
      }
    }

    /// Returns a user's attributes: for each attribute one of its values, another value, or no value.
    func draw(forUser number: Int, _ generator: inout SplitMix64) -> [String: FlagValue] {
      var attributes: [String: FlagValue] = [:]
      for (path, names, values, isSubject) in all {
        let index = Int.random(in: 0...values.count + (isSubject ? 1 : 0), using: &generator)
        if index < values.count {
          attributes.set(values[index], at: names)
        } else if isSubject, index == values.count {
          attributes.set(.string("\(path)-\(number)"), at: names)
        }
      }
      return attributes
    }
  }

  /// Returns a value of the same kind as others that differs from all of them; nil if the kind has no such value.
  private static func other(than values: [FlagValue]) -> FlagValue? {
    switch values.first {
    case .string: .string("none-of-these")
    case .array: .array(["none-of-these"])
    case nil: true
    case .int, .double, .bool, .null, .object: nil
    }
  }

  /// Returns whether a path is of an attribute to make up: not an id, the flag's key or the time, which are given.
  private static func isFree(_ path: String) -> Bool {
    !path.isEmpty && path != "targetingKey" && path != "$flagd" && !path.hasPrefix("$flagd.")
  }
}

extension FlagValue {
  /// The attribute that a rule reads, if it does nothing else.
  fileprivate var variablePath: String? { fields?.count == 1 ? fields?["var"]?.attributePath : nil }

  fileprivate var attributePath: String? {
    if case .string(let name) = elements?.first ?? self { name } else { nil }
  }
}
