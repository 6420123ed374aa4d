import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagHTTP

/// A change that a page's form describes: the one way to review and to save it, for every page.
///
/// ```swift
/// let saving = SaveRequest(change, form, on: site, editor, cancel: path)
/// return try await saving.response(then: path) { card in EditorPage(site: site, form: form, card: card).response }
/// ```
struct SaveRequest {
  let site: Site
  /// The change; nil if the form cannot be read as one.
  let change: DocumentChange?
  /// Whether the form was sent to be saved, and not asked for, or edited by a button of its own.
  private let isSent: Bool
  /// The fingerprint of the review that the form was sent with.
  private let seen: String
  /// The card, without the review.
  private var card: ReviewCard

  /// Creates the saving of a change.
  ///
  /// - Parameters:
  ///   - change: The change; nil if the form cannot be read as one.
  ///   - problem: The reason why it cannot be read.
  ///   - form: The form, with the fields of a ``ReviewCard``; nil if the page is asked for without one.
  ///   - site: The site.
  ///   - editor: The editor of its definitions.
  ///   - title: The title of the review.
  ///   - action: The text of the button that saves.
  ///   - unread: The reason why nobody gets another value, so that a review need not be seen; nil if it must be.
  ///   - cancel: The address of the page to go back to.
  init(
    _ change: DocumentChange?, problem: FlagError? = nil, _ form: ConsoleForm?, on site: Site,
    _ editor: DefinitionEditor, title: String = "Effect of saving", action: String = "Save", unread: String? = nil,
    cancel: String
  ) {
    (self.site, self.change) = (site, change)
    isSent = form != nil && form?["do"] == nil
    seen = form?["seen"] ?? ""
    card = ReviewCard(
      site: site, editor: editor, problem: problem, reason: form?["reason"] ?? "", action: action, cancel: cancel)
    card.title = title
    card.unread = unread
  }

  /// Returns the page with the review of the change; nothing is saved.
  ///
  /// - Throws: The errors of a review, and of the page.
  func review(_ page: (ReviewCard) throws(FlagError) -> HTTPResponse) throws(FlagError) -> HTTPResponse {
    try page(reviewed(.asked))
  }

  private func reviewed(_ occasion: ReviewCard.Occasion) throws(FlagError) -> ReviewCard {
    var card = card
    card.occasion = occasion
    card.review = try change.map { change throws(FlagError) in try card.editor.review(change, for: site.console.users) }
    return card
  }

  /// Saves the change if it was sent and its review was seen, and leads to a page; otherwise returns the page with the
  /// review.
  ///
  /// - Parameters:
  ///   - path: The address to lead to, which is asked for once the change is saved.
  ///   - page: Returns the page, whose status is the card's.
  /// - Returns: The response.
  /// - Throws: The errors of a review, of the page, and of a console that cannot edit its definitions.
  @inline(never)  // Inlined into one of its callers, it crashes the optimizer of Swift 6.3.
  func response(
    then path: @autoclosure () -> String, _ page: (ReviewCard) throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    guard isSent else { return try page(reviewed(.asked)) }
    guard let occasion = try await outcome() else { return HTTPResponse(seeing: path()) }
    return try page(reviewed(occasion))
  }

  /// Saves the change; returns the reason why it was not saved.
  private func outcome() async throws -> ReviewCard.Occasion? {
    guard let change else { return .refused("Not saved: \(card.problem?.message ?? "the form cannot be read")") }
    do {
      // What affects nobody need not be seen, unless there is something to be warned of.
      let isClear = try card.unread != nil && reviewed(.asked).review?.diagnostics.isEmpty == true
      let seen = isClear ? try card.editor.fingerprint(of: change) : seen
      return try await card.editor.save(change, seen: seen, because: card.reason) == nil ? .unseen : nil
    } catch let error as DefinitionStoreError where error.code == .conflict {
      return .conflict
    } catch let error as DefinitionStoreError {
      let isShown = error.code == .invalid && !error.diagnostics.isEmpty
      return .refused(isShown ? "Not saved: the definition has an error." : "Not saved: \(error)")
    } catch let error as FlagError {
      return .refused(error.message)
    }
  }
}
