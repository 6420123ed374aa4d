import FlagDomain
import Foundation

/// A table of flags: value, reason and source, and variant if wanted.
struct FlagTable: CustomStringConvertible {
  private let rows: [[String]]

  init(_ catalogs: [FlagCatalog], inspector: any FlagInspecting, showsVariants: Bool = false) {
    let flags = catalogs.flatMap(\.flags).map { flag in
      let resolution = inspector.resolution(of: flag)
      return ["\(flag.key)", "\(resolution.value)"] + (showsVariants ? [resolution.variant ?? "-"] : [])
        + ["\(resolution.reason)", resolution.provider ?? "-"]
    }
    rows = [["flag", "value"] + (showsVariants ? ["variant"] : []) + ["reason", "source"]] + flags
  }

  var description: String { rows.aligned.map { "  " + $0 }.joined(separator: "\n") }
}

/// Two screens side by side.
struct Columns: CustomStringConvertible {
  private let rows: [[String]]

  init(_ left: [String], _ right: [String]) {
    rows = (0..<max(left.count, right.count)).map { row in
      [row < left.count ? left[row] : "", row < right.count ? right[row] : ""]
    }
  }

  var description: String { rows.aligned.map { "    " + $0 }.joined(separator: "\n") + "\n" }
}

extension [[String]] {
  /// The rows as lines, their cells padded to the width of the column.
  fileprivate var aligned: [String] {
    let columns = self.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in self.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
    return self.map { row in
      let cells = row.enumerated().map {
        $1.padding(toLength: Swift.max(widths[$0], $1.count), withPad: " ", startingAt: 0)
      }
      return cells.joined(separator: "  ").replacing(/\ +$/, with: "")
    }
  }
}
