import FlagDefinitions
package import FlagDomain
import FlagEditing
package import FlagPublishing
import FlagReview

extension ConsoleModel {
  /// Whether the console has a place for test users.
  package var hasTestUsers: Bool { ports.testUsers != nil }

  /// The test users that were read last, in order.
  package var testUsers: [TestUser] { ports.testUsers?.current ?? [] }

  /// The reason why the test users could not be read; nil if they could.
  package var testUsersProblem: FlagError? { (origin ?? self).state.withLock { $0.testUsersProblem } }

  /// Reads the test users again; if they cannot be read, those that were read last stay.
  package func refreshTestUsers() async {
    guard let store = ports.testUsers else { return }
    let problem: FlagError?
    do throws(FlagError) {
      try await store.refresh()
      problem = nil
    } catch {
      problem = error
    }
    (origin ?? self).state.withLock { $0.testUsersProblem = problem }
  }

  /// Adds test users; one of a known name replaces that one in its place.
  ///
  /// - Throws: An error if there are too many, if a name is empty, or if they cannot be stored.
  package func addTestUsers(_ users: [TestUser]) async throws(FlagError) {
    if users.contains(where: { $0.name.allSatisfy(\.isWhitespace) }) {
      throw FlagError(.general, "expected a name for the test user, found nothing")
    }
    try await changeTestUsers { Self.adding(users, to: $0) }
  }

  private static func adding(_ users: [TestUser], to known: [TestUser]) -> [TestUser] {
    var all = known
    var places = Dictionary(all.enumerated().map { ($1.name, $0) }) { first, _ in first }
    for user in users {
      if let place = places[user.name] {
        all[place] = user
      } else {
        places[user.name] = all.count
        all.append(user)
      }
    }
    return all
  }

  /// Adds test users from JSON lines, as ``/FlagPublishing/TestUser/reading(lines:besides:)`` reads them.
  ///
  /// - Returns: The number of users in the text.
  /// - Throws: A parse error with the number of the line, or the errors of adding users.
  @discardableResult
  package func importTestUsers(_ lines: String) async throws(FlagError) -> Int {
    let users = try TestUser.reading(lines: lines)
    guard !users.isEmpty else {
      throw FlagError(.parseError, "expected an object of attributes on each line, found none")
    }
    try await changeTestUsers { known throws(FlagError) in
      try Self.adding(TestUser.reading(lines: lines, besides: known), to: known)
    }
    return users.count
  }

  /// Removes a test user; nothing happens if there is none of that name.
  package func removeTestUser(named name: String) async throws(FlagError) {
    try await changeTestUsers { $0.filter { $0.name != name } }
  }

  private func changeTestUsers(
    _ edit: @escaping @Sendable ([TestUser]) throws(FlagError) -> [TestUser]
  ) async throws(FlagError) {
    try checkWritable()
    guard let store = ports.testUsers else { throw FlagError(.flagNotFound, "This console has no test users.") }
    try await store.change { users throws(FlagError) in
      let new = try edit(users)
      guard new.count <= TestUser.maximumUsers else {
        throw FlagError(.general, "expected at most \(TestUser.maximumUsers) test users, found \(new.count)")
      }
      return new
    }
    noteChange()
  }

  /// Returns the outcomes of the test users, those whom a change affects first.
  func testedUsers(of key: String, in comparison: DefinitionComparison) -> [TestedUser] {
    let users = testUsers
    let outcomes = comparison.outcomes(
      of: key, for: users.map { EvaluationContext(attributes: $0.attributes) }, at: options.now())
    let tested = zip(users, outcomes).map { TestedUser(name: $0.name, old: $1.old, new: $1.new) }
    return tested.filter(\.isAffected) + tested.filter { !$0.isAffected }
  }
}
