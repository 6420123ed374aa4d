package import FlagConsole
public import FlagDefinitions
public import FlagDomain
package import FlagEditing
import FlagFoundation
public import FlagPublishing
import FlagReview

/// The editor of the definitions behind a console's flags: drafts, reviews, saving, history and test users.
///
/// ```swift
/// let editor = DefinitionEditor(store, publishing: store, testUsers: users)
/// let console = try ConsoleModel(catalogs: client.catalogs, ports, editor: editor)
/// ```
///
/// All members may be called from any thread.
public final class DefinitionEditor: Sendable {
  /// The settings of an editor.
  public struct Options: Sendable {
    /// The attributes of own users, who are asked for the effect of a change.
    public var ownUsers: [[String: FlagValue]] = []
    /// The author of published changes, unless the app says which person makes them.
    public var author = "console"
    /// Returns the places in code that read the flag of a key, such as "Sources/Feed.swift:12:5", or nil if that cannot
    /// be found out; nil if no code was given.
    ///
    /// The closure is called on any thread, for pages that rename, retire or delete a flag.
    public var readers: (@Sendable (_ key: String) async -> [String]?)?
    /// Returns the time for explaining rules, in seconds since 1970-01-01 UTC; the system's time by default.
    public var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }

    /// Creates the default options.
    public init() {}
  }

  /// The latest results, which the sessions of an editor share.
  private final class Cache: Sendable {
    let checked = Locked<CheckedChange?>(nil)
    /// The text in which flags were looked up.
    let sources = Locked<DocumentSources?>(nil)
    /// The facts of a version, until the time at which a schedule gives other values.
    let facts = Locked<(DefinitionVersion?, until: Int64, DefinitionFacts)?>(nil)
    /// The suggestions for rules, and what they were collected from.
    let suggestions = Locked<(DefinitionVersion, [FlagUser], [TestUser], RuleSuggestions)?>(nil)
    let testUsersProblem = Locked<FlagError?>(nil)
  }

  /// The store of the definitions.
  package let store: any DefinitionStore
  /// The settings of the editor.
  package let options: Options
  /// The changes that may be made here.
  package let access: ConsoleAccess
  let publishing: (any DefinitionHistory)?
  private let testUserStore: (any TestUserStore)?
  private let cache: Cache
  private let saved = Locked<(change: SavedChange, number: Int)?>(nil)
  private let subscribers = FlagSubscribers<Void>()

  /// Creates an editor, for one console or for several.
  ///
  /// - Parameters:
  ///   - store: The store of the definitions.
  ///   - publishing: The history of the definitions, where saved changes are published with their author; nil for none.
  ///   - testUsers: The store of the test users, whose variants before and after a change are shown; nil for none.
  ///   - options: The settings.
  public init(
    _ store: any DefinitionStore, publishing: (any DefinitionHistory)? = nil, testUsers: (any TestUserStore)? = nil,
    options: Options = Options()
  ) {
    (self.store, self.publishing, testUserStore, self.options) = (store, publishing, testUsers, options)
    (access, cache) = (ConsoleAccess(), Cache())
  }

  /// Creates an editor of the same definitions for a console or a session of one: with a saved change of its own.
  private init(sessionOf editor: DefinitionEditor, _ access: ConsoleAccess) {
    (store, publishing, testUserStore) = (editor.store, editor.publishing, editor.testUserStore)
    (options, self.access, cache) = (editor.options, access, editor.cache)
  }

  private func noteChange() { subscribers.notify(()) }
}

// MARK: - What a console asks for

extension DefinitionEditor: ConsoleDefinitions {
  package func session(with access: ConsoleAccess) -> DefinitionEditor {
    DefinitionEditor(sessionOf: self, access)
  }

  /// Calls a closure after each change of test users and of the saved change here, until the subscription ends.
  package func subscribe(_ onChange: @escaping @Sendable () -> Void) -> FlagSubscription {
    subscribers.subscribe(onChange)
  }

  /// Calls a closure after each change of the store; the test users are read now.
  package func follow(_ onChange: @escaping @Sendable () -> Void) -> FlagSubscription {
    Task { await refreshTestUsers() }
    return store.subscribe { _ in onChange() }
  }

  package var facts: DefinitionFacts {
    let (stored, now) = (store.current, options.now())
    if let (version, until, known) = cache.facts.withLock({ $0 }), version == stored?.version, now < until {
      return known
    }
    var until = Int64.max
    let facts = DefinitionFacts(of: stored?.document, at: now, until: &until)
    cache.facts.withLock { $0 = (stored?.version, until, facts) }
    return facts
  }

  package func summary(of key: String, in context: EvaluationContext?) -> DefinitionSummary? {
    guard let document = store.current?.document,
      var summary = DefinitionSummary(key, in: document, at: options.now())
    else { return nil }
    summary.explanation = context.flatMap { explanation(of: key, in: $0)?.summary }
    summary.isEditable = canEdit(key)
    return summary
  }
}

// MARK: - The document

extension DefinitionEditor {
  /// The definitions that a change is reviewed and saved over.
  package var storedDefinitions: StoredDefinitions {
    get throws(FlagError) {
      guard let stored = store.current else { throw FlagError(.providerNotReady, "\(store.name): no document yet") }
      return stored
    }
  }

  /// The reason why the definitions may be out of date, such as a broken or deleted file; nil if they are not.
  package var problem: FlagError? { store.status.failure }

  /// Whether flags can be made here: the definitions are in the in-house format, and may be edited.
  package var canMakeFlags: Bool { access.permission >= .edit && store.current?.document is FlagDocument }

  /// Returns whether a flag has a definition that can be edited here.
  private func canEdit(_ key: String) -> Bool {
    guard access.permission >= .edit, let stored = store.current else { return false }
    do throws(FlagError) { return try stored.editable.listing(of: key) != nil } catch { return false }
  }

  /// Returns the explanation of a flag's definition in a context; nil if it has none.
  package func explanation(of key: String, in context: EvaluationContext) -> RuleExplanation? {
    guard let document = store.current?.document, document.listing(of: key) != nil else { return nil }
    let now = options.now()
    return RuleExplanation(document.explain(key, in: context, at: now), at: now)
  }

  /// Returns the attributes, values and shared conditions that forms for rules suggest.
  ///
  /// They are of the document's rules, of the editor's own users, of its test users and of other users. A version of
  /// the document is searched once, as long as the users are the same.
  package func suggestions(for stored: StoredDefinitions, and users: [FlagUser] = []) -> RuleSuggestions {
    let testUsers = testUsers
    if let (version, known, tested, found) = cache.suggestions.withLock({ $0 }),
      version == stored.version, known == users, tested == testUsers
    {
      return found
    }
    let attributes = testUsers.map(\.attributes) + users.map { EvaluationContext(user: $0).values }
    let found = RuleSuggestions(text: stored.text, users: attributes + options.ownUsers.prefix(Self.maximumSuggesting))
    cache.suggestions.withLock { $0 = (stored.version, users, testUsers, found) }
    return found
  }

  /// The maximum number of own users whose attributes are suggested.
  private static let maximumSuggesting = 1000

  /// Returns the places in code that read a flag; nil if it is not known.
  package func readers(of key: String) async -> [String]? { await options.readers?(key) }

  /// Returns a flag's definition as the current document has it.
  ///
  /// - Throws: An error if there is no such flag.
  package func source(of key: String) throws(FlagError) -> String {
    try sources(of: storedDefinitions.text).flag(key)
  }

  /// Returns the places of the flags in a document's text, which is read once.
  func sources(of text: [UInt8]) throws(FlagError) -> DocumentSources {
    if let sources = cache.sources.withLock({ $0 }), sources.text == text { return sources }
    let sources = try DocumentSources(text)
    cache.sources.withLock { $0 = sources }
    return sources
  }
}

// MARK: - Drafts

extension DefinitionEditor {
  /// Returns a draft of a flag's definition.
  package func draft(of key: String) throws(FlagError) -> DefinitionDraft {
    let stored = try storedDefinitions
    _ = try stored.editable
    return try DefinitionDraft(key, over: sources(of: stored.text).flag(key), version: stored.version)
  }

  /// Returns a change of the current document by an edit of a flag.
  ///
  /// - Throws: An error if there is no document, or it cannot be edited here.
  package func change(_ edit: DefinitionEdit) throws(FlagError) -> DocumentChange {
    let stored = try storedDefinitions
    _ = try stored.editable
    return DocumentChange(edit, over: stored.version)
  }

  /// Returns a change of the current document that switches a flag on, or off for everyone.
  ///
  /// - Throws: An error if there is no document, or no such flag, or if it cannot be edited here.
  package func switching(_ key: String, on isOn: Bool) throws(FlagError) -> DocumentChange {
    var draft = try draft(of: key)
    draft.isEnabled = isOn
    return DocumentChange(draft)
  }

  /// Returns an edited definition over the current document.
  ///
  /// - Throws: An error if the flag is gone, or if the draft's rule is not JSON.
  package func edited(
    _ draft: DefinitionDraft, base: String?, takingTheirsOf taken: Set<String> = []
  ) throws(FlagError) -> EditedDefinition {
    let stored = try storedDefinitions
    return try EditedDefinition(
      draft, base: base, takingTheirsOf: taken, over: sources(of: stored.text).flag(draft.key),
      version: stored.version)
  }

  /// Returns the problems of a draft that are in its rule, with lines of the rule, in their order.
  ///
  /// They are the parse error of the rule, if it is not JSON, or those of the draft's document.
  package func ruleProblems(
    of draft: DefinitionDraft, _ error: FlagError?, _ diagnostics: [DocumentDiagnostic]
  ) throws(FlagError) -> [RuleProblem] {
    try RuleProblem.all(of: draft, error, diagnostics) { () throws(FlagError) in try storedDefinitions.text }
  }
}

// MARK: - Reviewing

extension DefinitionEditor {
  /// Checks a change of the current document, and finds the users whom it would affect, those of the console by name.
  ///
  /// - Throws: An error if a flag that it needs no longer exists, or if there is no document.
  package func review(
    _ change: DocumentChange, for users: ConsoleUsers = ConsoleUsers()
  ) throws(FlagError) -> ChangeReview {
    let stored = try storedDefinitions
    let checked = try checked(change, in: stored)
    guard let new = checked.definitions, checked.review.isServable else { return checked.review }
    let comparison = try DefinitionComparison(from: stored, to: new)
    var review = checked.review
    let meant = StringMap(change.keys.map { ($0, ()) })
    var known = meant
    let others = (comparison.changedKeys + checked.changedKeys).filter { key in
      defer { known[key] = () }
      return known[key] == nil
    }.sorted()
    let keys = change.keys + others
    let reviewed = keys.prefix(ChangeReview.maximumFlags)
    review.flags = try reviewed.map { key throws(FlagError) in
      let (before, after) = (checked.before?.source(of: key), checked.after?.source(of: key))
      func text(_ source: ArraySlice<UInt8>?) -> String { source.map { String(decoding: $0, as: UTF8.self) } ?? "" }
      let words = try DefinitionChangeDescriber.phrases(of: key, in: comparison, before, after)
      return ChangedFlag(
        key: key, isMeant: meant[key] != nil, words: words,
        lines: try LineDifference(ofDefinitions: text(before), text(after)),
        testUsers: testedUsers(of: key, in: comparison), tried: tried(users, of: key, in: comparison),
        effect: effect(of: key, in: comparison, amongFlags: reviewed.count),
        plan: plan(of: key, in: new.document, for: users, amongFlags: reviewed.count))
    }
    review.omittedFlags = max(0, keys.count - ChangeReview.maximumFlags)
    return review
  }

  /// Returns the fingerprint that the review of a change has.
  ///
  /// - Throws: An error if a flag that it needs no longer exists, or if there is no document.
  package func fingerprint(of change: DocumentChange) throws(FlagError) -> String {
    try checked(change, in: storedDefinitions).review.fingerprint
  }

  /// Checks a change, unless it is the one that was checked last: saving checks what was reviewed just before.
  private func checked(_ change: DocumentChange, in stored: StoredDefinitions) throws(FlagError) -> CheckedChange {
    let checked = try CheckedChange(
      change, in: stored, over: sources(of: stored.text), reusing: cache.checked.withLock { $0 })
    cache.checked.withLock { $0 = checked }
    return checked
  }

  /// Returns the outcomes of a console's users, those of the current one first.
  private func tried(_ users: ConsoleUsers, of key: String, in comparison: DefinitionComparison) -> [ConsoleUserOutcome]
  {
    let all = [users.current] + users.tried
    let outcomes = comparison.outcomes(of: key, for: all.map(users.context(of:)), at: options.now())
    return zip(all, outcomes).map { user, outcome in
      ConsoleUserOutcome(user: user, isCurrent: user == users.current, old: outcome.old, new: outcome.new)
    }
  }

  /// Returns the outcomes of the test users, those whom a change affects first.
  private func testedUsers(of key: String, in comparison: DefinitionComparison) -> [TestUserOutcome] {
    let users = testUsers
    let outcomes = comparison.outcomes(
      of: key, for: users.map { EvaluationContext(attributes: $0.attributes) }, at: options.now())
    let tested = zip(users, outcomes).map { TestUserOutcome(name: $0.name, old: $1.old, new: $1.new) }
    return tested.filter(\.isAffected) + tested.filter { !$0.isAffected }
  }

  /// Returns the effect of a flag's change on the editor's own users.
  ///
  /// A number of flags share the steps of one comparison.
  func effect(of key: String, in comparison: DefinitionComparison, amongFlags count: Int) -> ChangeEffect {
    let audience = Audience(users: options.ownUsers, steps: Audience.usualSteps / max(1, count))
    return comparison.effect(of: key, on: audience, at: options.now())
  }
}

// MARK: - Saving

extension DefinitionEditor {
  /// Saves a change if the document still has the version that it is based on; the reason is for the history.
  ///
  /// A change that leaves the document as it is is not written.
  ///
  /// - Throws: A `DefinitionStoreError`, with the code `CONFLICT` only if someone else saved first, or a `FlagError`.
  @discardableResult
  package func save(_ change: DocumentChange, because reason: String = "") async throws -> StoredDefinitions {
    let stored = try writableDefinitions
    guard stored.version == change.version else {
      throw DefinitionStoreError(conflictIn: store.name, expected: change.version, found: stored.version)
    }
    return try await save(change, over: stored, because: reason)
  }

  /// Saves a change if it makes the difference that was seen, whatever else was changed in the document meanwhile.
  ///
  /// The fingerprint is that of the review that was seen; the reason is for the history.
  ///
  /// - Returns: The saved definitions; nil if the change makes another difference now, which must be seen first.
  /// - Throws: A `DefinitionStoreError`, with the code `CONFLICT` only if others saved again and again, or a
  ///   `FlagError`.
  @discardableResult
  package func save(
    _ change: DocumentChange, seen fingerprint: String, because reason: String = ""
  ) async throws -> StoredDefinitions? {
    for attempt in 1... {
      let stored = try writableDefinitions
      guard try checked(change, in: stored).review.fingerprint == fingerprint else { return nil }
      do {
        return try await save(change, over: stored, because: reason)
      } catch let error as DefinitionStoreError where error.code == .conflict && attempt < Self.maximumAttempts {
        // Someone else saved between reading and writing, perhaps other flags: the difference is compared again.
        guard try storedDefinitions.version != stored.version else { throw error }
      }
    }
    return nil
  }

  private static let maximumAttempts = 20

  /// The change that was saved last here, and can be taken back; nil if there is none.
  package var savedChange: SavedChange? { saved.withLock { $0?.change } }

  /// The number of that change among all of this process; nil if there is none.
  package var savedNumber: Int? { saved.withLock { $0?.number } }

  /// Forgets the change that was saved last.
  package func forgetSavedChange() {
    saved.withLock { $0 = nil }
    noteChange()
  }

  /// Returns the change that takes back the one that was saved last; all else stays as it is now.
  ///
  /// - Throws: An error if nothing was saved here, or if there is no document.
  package func undoingSavedChange() throws(FlagError) -> DocumentChange {
    guard let saved = savedChange else { throw FlagError(.flagNotFound, "Nothing was saved here that can be undone.") }
    return saved.undoing(over: try storedDefinitions.version)
  }

  /// The definitions, if they may be saved, and it is known what a change would replace.
  private var writableDefinitions: StoredDefinitions {
    get throws(FlagError) {
      try access.check()
      let stored = try storedDefinitions
      try checkReadable()
      return stored
    }
  }

  private func save(
    _ change: DocumentChange, over stored: StoredDefinitions, because reason: String
  ) async throws -> StoredDefinitions {
    let checked = try checked(change, in: stored)
    guard let new = try checked.servable(of: store) else { return stored }
    let saved = try await save(
      new, over: stored.version, because: reason.isEmpty ? change.title : "\(change.title): \(reason)")
    self.saved.withLock { $0 = checked.saved.map { ($0, ChangeNumber.next()) } }
    cache.sources.withLock { $0 = checked.after }
    return saved
  }

  private func save(
    _ new: StoredDefinitions, over version: DefinitionVersion, because reason: String
  ) async throws -> StoredDefinitions {
    guard let publishing else { return try await replace(new, over: version) }
    let head = try await publish(new.text, over: version, in: publishing, because: reason)
    return StoredDefinitions(new, version: head.revision.version)
  }

  // Inlined into `save`, it ended the optimizer of Swift 6.3.1 with signal 11.
  @inline(never)
  private func replace(_ new: StoredDefinitions, over version: DefinitionVersion) async throws -> StoredDefinitions {
    do {
      return try await store.replace(with: new.text, expecting: version)
    } catch {
      // A document that broke or went meanwhile is no conflict with anyone.
      if error.code == .conflict { try checkReadable() }
      throw error
    }
  }

  /// Publishes a document to all servers if the head still has the expected version and no candidate is rolling out.
  private func publish(
    _ text: [UInt8], over version: DefinitionVersion, in history: any DefinitionHistory, because reason: String
  ) async throws -> PublishedHead {
    let head = try await history.head()
    guard let head, head.revision.version == version else {
      throw DefinitionStoreError(conflictIn: history.name, expected: version, found: head?.revision.version)
    }
    if let candidate = head.candidate {
      throw FlagError(
        .general,
        "Revision \(candidate.revision.number) is being tried on \(candidate.percent) % of the servers. Widen it to all servers, or "
          + "withdraw it, before publishing anything else.")
    }
    let note = PublicationNote(author: access.person?.name ?? options.author, reason: reason)
    return try await history.publish(text, expecting: head, note: note)
  }

  /// Checks that the store's document can be read now, so that it is known what a change replaces.
  private func checkReadable() throws(FlagError) {
    guard let failure = problem else { return }
    throw FlagError(
      failure.code,
      "Not saved, because what is there now cannot be read. Repair it, or restore it, and save again. "
        + failure.message)
  }
}

// MARK: - Test users

extension DefinitionEditor {
  /// Whether there is a place for test users.
  package var hasTestUsers: Bool { testUserStore != nil }

  /// The name of the store of test users; empty if there is none.
  package var testUsersName: String { testUserStore?.name ?? "" }

  /// The test users that were read last, in order.
  package var testUsers: [TestUser] { testUserStore?.current ?? [] }

  /// The reason why the test users could not be read; nil if they could.
  package var testUsersProblem: FlagError? { cache.testUsersProblem.withLock { $0 } }

  /// Reads the test users again; if they cannot be read, those that were read last stay.
  package func refreshTestUsers() async {
    guard let testUserStore else { return }
    let problem: FlagError?
    do throws(FlagError) {
      try await testUserStore.refresh()
      problem = nil
    } catch {
      problem = error
    }
    cache.testUsersProblem.withLock { $0 = problem }
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
    try access.check()
    guard let testUserStore else { throw FlagError(.flagNotFound, "This console has no test users.") }
    try await testUserStore.change { users throws(FlagError) in
      let new = try edit(users)
      guard new.count <= TestUser.maximumUsers else {
        throw FlagError(.general, "expected at most \(TestUser.maximumUsers) test users, found \(new.count)")
      }
      return new
    }
    noteChange()
  }
}
