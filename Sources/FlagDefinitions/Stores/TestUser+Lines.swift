public import FlagDomain
import FlagJSON

extension TestUser {
  /// The maximum number of users in a store.
  public static let maximumUsers = 1000
  /// The maximum size of the users' text, in bytes.
  public static let maximumSize = 1 << 20

  /// Reads users from JSON lines.
  ///
  /// A line is `{"name": "Ana", "context": {"targetingKey": "ana", "countryCode": "es"}}`, or the attributes alone: such
  /// a user is named after its `targetingKey`, or else by its number. Blank lines are passed over.
  ///
  /// - Parameter text: The text, of at most 1 MiB and 1,000 users.
  /// - Returns: The users, in order.
  /// - Throws: A parse error with the number of the line.
  public static func reading(lines text: String) throws(FlagError) -> [TestUser] {
    guard text.utf8.count <= maximumSize else {
      throw FlagError(.parseError, "expected at most \(maximumSize) bytes of test users, found \(text.utf8.count)")
    }
    var users: [TestUser] = []
    for (index, line) in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      let line = String(decoding: line, as: UTF8.self)
      if line.allSatisfy(\.isWhitespace) { continue }
      do throws(FlagError) {
        users.append(try TestUser(line: line, number: users.count + 1))
      } catch {
        throw FlagError(error.code, "line \(index + 1): \(error.message)")
      }
    }
    return try checked(users)
  }

  private init(line: String, number: Int) throws(FlagError) {
    let value = try FlagValue.reading(json: line)
    guard let fields = value.fields else {
      throw FlagError(.parseError, "expected an object of attributes, found \(value.typeName)")
    }
    if let context = fields["context"]?.fields, fields.keys.allSatisfy({ ["name", "context"].contains($0) }) {
      self.init(name: Self.name(fields["name"], context, number), attributes: context)
    } else {
      self.init(name: Self.name(nil, fields, number), attributes: fields)
    }
  }

  private static func name(_ name: FlagValue?, _ attributes: [String: FlagValue], _ number: Int) -> String {
    for case .string(let text)? in [name, attributes["targetingKey"]] where !text.allSatisfy(\.isWhitespace) {
      return text
    }
    return "User \(number)"
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
