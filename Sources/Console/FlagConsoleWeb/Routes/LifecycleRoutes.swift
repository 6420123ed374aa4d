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
    var (change, problem): (DocumentChange?, FlagError?) = (nil, nil)
    if sent != nil, !form.key.isEmpty {
      do throws(FlagError) { change = try editor.change(.make(form.flag)) } catch { problem = error }
    }
    let saving = SaveRequest(
      change, problem: problem, sent, on: site, editor, action: change == nil ? "Review" : "Make the flag",
      cancel: site.home)
    func page(_ card: ReviewCard) -> HTTPResponse { NewFlagPage(site: site, form: form, card: card).response }
    return try await saving.response(then: site.path(ofFlag: form.key, "/edit"), page)
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
    var (change, problem): (DocumentChange?, FlagError?) = (nil, nil)
    if sent != nil || action != .rename {
      do throws(FlagError) { change = try action.change(of: key, entered, in: editor) } catch { problem = error }
    }
    let isForced = sent?["force"] != nil
    let saving = SaveRequest(
      change, problem: problem, sent, on: site, editor, action: change == nil ? "Review" : action.title,
      cancel: list.map { site.home + $0 } ?? site.path(ofFlag: key))
    func page(_ card: ReviewCard) -> HTTPResponse {
      LifecyclePage(
        site: site, action: action, key: key, entered: entered, readers: readers, isForced: isForced,
        origin: LifecycleAction.query(list), splitsByKey: splits, card: card
      ).response
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
