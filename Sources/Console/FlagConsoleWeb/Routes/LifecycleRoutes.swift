import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagHTTP
import FlagServer
import FlagSupport

/// The routes of the pages that make, copy, rename, retire and delete flags.
struct LifecycleRoutes {
  let sites: ConsoleSites

  var all: [Router.Route] {
    sites.changing("/new") { site, editor, _, form in try await Self.make(site, editor, form) }
      + LifecycleAction.allCases.flatMap { action in
        sites.changing(RoutePattern("/flags/{key}/\(action.rawValue)")) { site, editor, request, form in
          try await Self.change(site, editor, request, action, form)
        }
      }
  }

  /// Answers with the form of a new flag; makes the flag if the form was sent, and its review was seen.
  private static func make(
    _ site: Site, _ editor: DefinitionEditor, _ sent: ConsoleForm?
  ) async throws -> HTTPResponse {
    let form = sent.map(NewFlagForm.init) ?? NewFlagForm()
    // A button that edits the form may be pressed before there is a key.
    let isEntered = sent != nil && (sent?["do"] == nil || !form.key.isEmpty)
    let keyProblem = isEntered ? KeyField.problem(form.key, in: editor) : nil
    var (change, problem): (DocumentChange?, FlagError?) = (nil, keyProblem.map { FlagError(.general, "Key: \($0)") })
    if isEntered, problem == nil {
      do throws(FlagError) { change = try editor.change(.make(form.flag)) } catch { problem = error }
    }
    let saving = SaveRequest(
      change, problem: problem, sent, on: site, editor, action: "Make the flag",
      unread: await unread(form.key, on: site, editor), cancel: site.home)
    func page(_ card: ReviewCard) -> HTTPResponse {
      NewFlagPage(site: site, form: form, keyProblem: keyProblem, card: card).response
    }
    return try await saving.response(then: site.path(ofFlag: form.key, "/edit"), page)
  }

  /// Returns the reason why a flag of a new key affects nobody, as a sentence; nil if code is known to read it.
  private static func unread(_ key: String, on site: Site, _ editor: DefinitionEditor) async -> String? {
    if site.console.row(key) != nil { return nil }
    guard !key.isEmpty, let readers = await editor.readers(of: key) else {
      return "Nobody gets another value, unless code reads this key already."
    }
    let reason = "No read of it was found in the code: nobody gets another value, unless one was missed."
    return readers.isEmpty ? reason : nil
  }

  /// Answers with the page of an action on a flag; performs it if the form was sent, and its review was seen.
  private static func change(
    _ site: Site, _ editor: DefinitionEditor, _ request: ServerRequest, _ action: LifecycleAction,
    _ sent: ConsoleForm?
  ) async throws -> HTTPResponse {
    let (key, stored) = (request.flagKey, try editor.storedDefinitions)
    // A list that led here is led back to, with what it was narrowed to.
    let list = request.target.value(of: "list").map { RequestTarget("/\($0)")?.listQuery ?? "" }
    let readers = action.affectsReaders ? await editor.readers(of: key) : nil
    let splits = try [.copy, .rename].contains(action) && DefinitionEdit.splitsByKey(key, in: stored.text)
    let entered = sent?[action == .retire ? "gone" : "key"] ?? action.usual(for: key, at: editor.options.now())
    let isKeyEntered = sent != nil && [.copy, .rename].contains(action)
    let keyProblem =
      isKeyEntered ? KeyField.problem(entered, in: editor, besides: action == .rename ? key : nil) : nil
    var (change, problem): (DocumentChange?, FlagError?) = (nil, keyProblem.map { FlagError(.general, "Key: \($0)") })
    if sent != nil || action != .rename, problem == nil {
      do throws(FlagError) { change = try action.change(of: key, entered, in: editor) } catch { problem = error }
    }
    let (isForced, isEarly) = (sent?["force"] != nil, sent?["early"] != nil)
    let retirement = action == .delete ? retirement(of: key, in: editor) : nil
    let unread = action == .copy ? await unread(entered, on: site, editor) : nil
    let saving = SaveRequest(
      change, problem: problem, sent, on: site, editor, action: change == nil ? "Review" : action.title,
      unread: unread, cancel: list.map { site.home + $0 } ?? site.path(ofFlag: key))
    func page(_ card: ReviewCard) -> HTTPResponse {
      LifecyclePage(
        site: site, action: action, key: key, entered: entered, readers: readers, isForced: isForced,
        origin: LifecycleAction.query(list), keyProblem: keyProblem, retirement: retirement, isEarly: isEarly,
        splitsByKey: splits, card: card
      ).response
    }
    if sent != nil, let retirement, !isEarly {
      return try saving.review { card in
        var card = card
        let day = retirement.gone.map { "after \($0)" } ?? "once that is sure"
        card.occasion = .refused("Not saved: the flag may be deleted \(day). To delete it now, say so on the page.")
        return page(card)
      }
    }
    if sent != nil, readers?.isEmpty == false, !isForced {
      return try saving.review { card in
        var card = card
        card.occasion = .refused("Not saved: code reads this flag. See “Read by”, and say there that it may change.")
        return page(card)
      }
    }
    return try await saving.response(
      then: list.map { site.home + $0 } ?? action.destination(on: site, of: key, entered), page)
  }
}

extension LifecycleRoutes {
  /// Returns the retirement of a flag whose last day is not over; nil for none.
  private static func retirement(of key: String, in editor: DefinitionEditor) -> FlagRetirement? {
    let today = CalendarDay(daysSince1970: editor.options.now() / Timestamp.secondsPerDay)
    let retirement = editor.store.current?.document.listing(of: key).flatMap { FlagRetirement($0.metadata) }
    return retirement.flatMap { $0.isOver(on: today) ? nil : $0 }
  }
}

extension LifecycleAction {
  /// The usual days until a retired flag may be deleted.
  private static let usualDays: Int64 = 30

  /// Returns the text that the page's field begins with.
  fileprivate func usual(for key: String, at seconds: Int64) -> String {
    switch self {
    case .copy: "\(key)-copy"
    case .rename: key
    case .retire: "\(CalendarDay(daysSince1970: seconds / Timestamp.secondsPerDay + Self.usualDays))"
    case .off, .on, .delete: ""
    }
  }

  fileprivate func change(
    of key: String, _ entered: String, in editor: DefinitionEditor
  ) throws(FlagError) -> DocumentChange {
    switch self {
    case .off, .on: return try editor.switching(key, on: self == .on)
    case .copy: return try editor.change(.copy(key, to: entered))
    case .rename: return try editor.change(.rename(key, to: entered))
    case .delete: return try editor.change(.delete(key))
    case .retire:
      guard let day = CalendarDay(validating: entered) else {
        throw FlagError(.general, "expected a day such as 2027-01-31, found “\(entered.excerpt)”")
      }
      return try editor.change(.retire(key, gone: day))
    }
  }

  /// Returns the address of the page that follows.
  fileprivate func destination(on site: Site, of key: String, _ entered: String) -> String {
    switch self {
    case .copy, .rename: site.path(ofFlag: entered, "/edit")
    case .off, .on, .retire: site.path(ofFlag: key)
    case .delete: site.home
    }
  }
}
