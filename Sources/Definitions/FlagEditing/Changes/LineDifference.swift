package import FlagDomain
import FlagJSON

/// The difference of two texts, line by line, with a few of the lines around each change.
package struct LineDifference: Hashable, Sendable {
  /// A line of either text.
  package struct Line: Hashable, Sendable {
    /// The text in which a line is.
    package enum Kind: Hashable, Sendable {
      /// In both texts.
      case same
      /// Only in the old text.
      case removed
      /// Only in the new text.
      case added
      /// A number of lines that are left out.
      case omitted(Int)
    }

    /// The text in which the line is.
    package let kind: Kind
    /// The line, without its end; empty for omitted lines.
    package let text: String
  }

  /// The lines, in order; empty if the texts are the same.
  package let lines: [Line]

  /// The maximum number of lines that are shown.
  package static let maximumLines = 300
  /// The number of lines around a change.
  private static let context = 3
  /// The maximum number of differing lines that are matched; the time is proportional to its square at most.
  private static let maximumChanges = 500
}

extension LineDifference {
  /// Compares two texts; the time is linear in their size.
  ///
  /// In texts that differ in more than 500 lines, all lines between the first and the last change count as changed.
  package init(from old: String, to new: String) {
    let (before, after) = (Self.split(old), Self.split(new))
    let start = zip(before, after).prefix { $0 == $1 }.count
    let end = zip(before.dropFirst(start).reversed(), after.dropFirst(start).reversed()).prefix { $0 == $1 }.count
    let middle = Self.matched(Array(before.dropFirst(start).dropLast(end)), Array(after.dropFirst(start).dropLast(end)))
    let lines = before.prefix(start).map(Self.same) + middle + before.suffix(end).map(Self.same)
    self.lines = middle.isEmpty ? [] : Self.excerpt(lines)
  }

  private static func split(_ text: String) -> [Substring] {
    text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  private static func same(_ line: Substring) -> Line { Line(kind: .same, text: String(line)) }

  /// Returns the lines of two texts with the smallest number of changes (Myers 1986); all, if that is too large.
  private static func matched(_ old: [Substring], _ new: [Substring]) -> [Line] {
    guard let path = steps(old, new) else { return changed(old, .removed) + changed(new, .added) }
    var (lines, x, y): ([Line], Int, Int) = ([], old.count, new.count)
    for (depth, ends) in path.enumerated().reversed() {
      let isDown = depth > 0 && isDown(ends, x - y, depth)
      let diagonal = x - y + (isDown ? 1 : -1)
      let before = depth > 0 ? ends[diagonal] ?? 0 : 0
      let stop = depth > 0 ? (isDown ? before : before + 1) : 0
      while x > stop {
        (x, y) = (x - 1, y - 1)
        lines.append(same(old[x]))
      }
      guard depth > 0 else { break }
      if isDown {
        y -= 1
        lines.append(Line(kind: .added, text: String(new[y])))
      } else {
        x -= 1
        lines.append(Line(kind: .removed, text: String(old[x])))
      }
    }
    return lines.reversed()
  }

  private static func changed(_ lines: [Substring], _ kind: Line.Kind) -> [Line] {
    lines.map { Line(kind: kind, text: String($0)) }
  }

  /// Returns for each number of changes how far each diagonal was reached before; nil if there are too many changes.
  private static func steps(_ old: [Substring], _ new: [Substring]) -> [[Int: Int]]? {
    var (ends, path): ([Int: Int], [[Int: Int]]) = ([1: 0], [])
    for depth in 0...min(old.count + new.count, maximumChanges) {
      path.append(ends)
      for diagonal in stride(from: -depth, through: depth, by: 2) {
        var x = isDown(ends, diagonal, depth) ? ends[diagonal + 1] ?? 0 : (ends[diagonal - 1] ?? 0) + 1
        while x < old.count, x - diagonal < new.count, x - diagonal >= 0, old[x] == new[x - diagonal] { x += 1 }
        ends[diagonal] = x
        if x >= old.count, x - diagonal >= new.count { return path }
      }
    }
    return nil
  }

  private static func isDown(_ ends: [Int: Int], _ diagonal: Int, _ depth: Int) -> Bool {
    diagonal == -depth || diagonal != depth && (ends[diagonal - 1] ?? -1) < (ends[diagonal + 1] ?? -1)
  }

  /// Returns the changed lines with a few around them, up to the maximum.
  private static func excerpt(_ lines: [Line]) -> [Line] {
    var isShown = Array(repeating: false, count: lines.count)
    for (index, line) in lines.enumerated() where line.kind != .same {
      for near in max(0, index - context)...min(lines.count - 1, index + context) { isShown[near] = true }
    }
    var (shown, omitted): ([Line], Int) = ([], 0)
    for (index, line) in lines.enumerated() {
      guard isShown[index], shown.count < maximumLines else {
        omitted += 1
        continue
      }
      if omitted > 0 { shown.append(Line(kind: .omitted(omitted), text: "")) }
      omitted = 0
      shown.append(line)
    }
    if omitted > 0 { shown.append(Line(kind: .omitted(omitted), text: "")) }
    return shown
  }

  /// Compares two definitions, without the indentation that all of their lines have; empty texts stand for none.
  ///
  /// If one of them has long lines, both are laid out.
  package init(ofDefinitions old: String, _ new: String) throws(FlagError) {
    let texts = [old.unindented, new.unindented]
    guard texts.contains(where: { $0.split(separator: "\n").contains { $0.utf8.count > Self.longest } }) else {
      self.init(from: texts[0], to: texts[1])
      return
    }
    let laidOut = try texts.map { text throws(FlagError) in text.isEmpty ? "" : try JSONFormatter.laidOut(text) }
    self.init(from: laidOut[0], to: laidOut[1])
  }

  private static let longest = 120
}
