import FlagDomain
import FlagProviders
import Foundation

/// Lists flags that should be gone: those whose metadata has a day under `expires` that is over.
struct ExpiredCommand {
  let options: Command.Expired
  let terminal: Terminal

  func run() -> ExitCode {
    let today = options.today ?? CalendarDay(seconds: terminal.now())
    return options.files.map { list($0, today) }.contains(false) ? .data : .success
  }

  /// Returns whether a file can be read, and no flag in it has expired.
  private func list(_ path: String, _ today: CalendarDay) -> Bool {
    guard let document = terminal.document(at: path) else { return false }
    let lines = document.keys.sorted().compactMap { line($0, document.metadata(of: $0) ?? [:], today) }
    for line in lines { terminal.write("\(path): \(line)\n") }
    return lines.isEmpty
  }

  private func line(_ key: String, _ metadata: [String: FlagValue], _ today: CalendarDay) -> String? {
    guard let expires = metadata["expires"] else { return nil }
    let owner = if case .string(let owner)? = metadata["owner"] { ", owner \(owner)" } else { "" }
    guard case .string(let text) = expires, let day = CalendarDay(text) else {
      return "\(key): expires: expected a day such as \"2027-01-31\", found \(expires)\(owner)"
    }
    return day < today ? "\(key): expired on \(day)\(owner)" : nil
  }
}

extension CalendarDay {
  /// Creates the day in UTC of a time in seconds since the beginning of 1970; the first or last day there is, beyond.
  fileprivate init(seconds: Int64) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = calendar.dateComponents([.year, .month, .day], from: Date(timeIntervalSince1970: Double(seconds)))
    let day = CalendarDay(year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0)
    self = day ?? (seconds < 0 ? "0001-01-01" : "9999-12-31")
  }
}
