package import FlagDomain
import FlagJSON

extension TestUser {
  /// The maximum number of users in a store.
  package static let maximumUsers = 1000
  /// The maximum size of the users' text, in bytes.
  package static let maximumSize = 1 << 20

  /// Reads users from JSON lines.
  ///
  /// A line is `{"name": "Ana", "context": {"targetingKey": "ana", "countryCode": "es"}}`, or the attributes alone: such
  /// a user is named after its `targetingKey`, or else by a number that no other user has. Blank lines are passed over.
  ///
  /// - Parameters:
  ///   - text: The text, of at most 1 MiB and 1,000 users.
  ///   - known: Users whose names are taken; one with the same attributes as a line without a name gives it its name.
  /// - Returns: The users, in order.
  /// - Throws: A parse error with the number of the line.
  package static func reading(lines text: String, besides known: [TestUser] = []) throws(FlagError) -> [TestUser] {
    guard text.utf8.count <= maximumSize else {
      throw FlagError(.parseError, "expected at most \(maximumSize) bytes of test users, found \(text.utf8.count)")
    }
    var users: [(name: String?, attributes: [String: FlagValue])] = []
    for (index, line) in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      let line = String(decoding: line, as: UTF8.self)
      if line.allSatisfy(\.isWhitespace) { continue }
      do throws(FlagError) {
        users.append(try user(in: line))
      } catch {
        throw FlagError(error.code, "line \(index + 1): \(error.message)")
      }
    }
    return try checked(named(users, besides: known))
  }

  private static func user(in line: String) throws(FlagError) -> (name: String?, attributes: [String: FlagValue]) {
    let value = try FlagValue.reading(json: line)
    guard let fields = value.fields else {
      throw FlagError(.parseError, "expected an object of attributes, found \(value.typeName)")
    }
    if let context = fields["context"]?.fields, fields.keys.allSatisfy({ ["name", "context"].contains($0) }) {
      return (name(fields["name"], context), context)
    }
    return (name(nil, fields), fields)
  }

  private static func name(_ name: FlagValue?, _ attributes: [String: FlagValue]) -> String? {
    for case .string(let text)? in [name, attributes["targetingKey"]] where !text.allSatisfy(\.isWhitespace) {
      return text
    }
    return nil
  }

  /// Gives names to users without one.
  private static func named(
    _ users: [(name: String?, attributes: [String: FlagValue])], besides known: [TestUser]
  ) -> [TestUser] {
    let names = Dictionary(known.map { ($0.attributes, $0.name) }) { first, _ in first }
    let taken = Set(users.compactMap(\.name) + known.map(\.name))
    var number = 0
    return users.enumerated().map { index, user in
      if let name = user.name ?? names[user.attributes] { return TestUser(name: name, attributes: user.attributes) }
      number = max(number, index) + 1
      while taken.contains("User \(number)") { number += 1 }
      return TestUser(name: "User \(number)", attributes: user.attributes)
    }
  }

  /// Returns users as JSON lines.
  ///
  /// - Throws: An error if there are more than 1,000, or if their text has more than 1 MiB.
  package static func lines(of users: [TestUser]) throws(FlagError) -> [UInt8] {
    var text: [UInt8] = []
    for user in try checked(users) {
      let line = FlagValue.object(["name": .string(user.name), "context": .object(user.attributes)])
      text += try line.json()
      text.append(UInt8(ascii: "\n"))
    }
    guard text.count <= maximumSize else {
      throw FlagError(.general, "expected at most \(maximumSize) bytes of test users, found \(text.count)")
    }
    return text
  }

  private static func checked(_ users: [TestUser]) throws(FlagError) -> [TestUser] {
    guard users.count <= maximumUsers else {
      throw FlagError(.general, "expected at most \(maximumUsers) test users, found \(users.count)")
    }
    return users
  }
}
