import FlagDomain
import Foundation

/// A table of flags: value, variant, reason, provider, and what failed.
struct FlagTable: CustomStringConvertible {
  private let rows: [[String]]

  init(_ catalogs: [FlagCatalog], inspector: any FlagInspecting) {
    let flags = catalogs.flatMap(\.flags).map { $0.row(by: inspector) }
    rows = [["flag", "value", "variant", "reason", "provider"]] + flags
  }

  var description: String { rows.aligned.joined(separator: "\n") }
}

extension FeatureFlag {
  fileprivate func row(by inspector: any FlagInspecting) -> [String] {
    let resolution = inspector.resolution(of: self)
    let cells = [
      "\(key)", "\(resolution.value)", resolution.variant ?? "-", "\(resolution.reason)", resolution.provider ?? "-",
    ]
    return cells + resolution.errors.map { "\($0.code): \($0.message)" }
  }
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
