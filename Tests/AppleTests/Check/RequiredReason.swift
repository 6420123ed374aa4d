import Foundation

/// A kind of interface of which Apple wants to know why it is used: by its name in a privacy manifest.
struct RequiredReason: Sendable {
  let category: String
  /// The names of the interfaces, as sources have them.
  let names: Set<String>
  /// The reasons that Apple accepts.
  let reasons: Set<String>

  // https://developer.apple.com/documentation/bundleresources/privacy_manifest_files

  /// All that Apple lists.
  static let all = [
    RequiredReason(
      category: "NSPrivacyAccessedAPICategoryFileTimestamp",
      names: [
        "creationDate", "modificationDate", "fileModificationDate", "contentModificationDateKey", "creationDateKey",
        "contentModificationDate", "getattrlist", "getattrlistbulk", "fgetattrlist", "stat", "fstat", "fstatat",
        "lstat",
        "getattrlistat",
      ],
      reasons: ["DDA9.1", "C617.1", "3B52.1", "0A2A.1"]),
    RequiredReason(
      category: "NSPrivacyAccessedAPICategorySystemBootTime", names: ["systemUptime", "mach_absolute_time"],
      reasons: ["35F9.1", "8FFB.1", "3D61.1"]),
    RequiredReason(
      category: "NSPrivacyAccessedAPICategoryDiskSpace",
      names: [
        "volumeAvailableCapacityKey", "volumeAvailableCapacityForImportantUsageKey",
        "volumeAvailableCapacityForOpportunisticUsageKey", "volumeTotalCapacityKey", "systemFreeSize", "systemSize",
        "statfs", "statvfs", "fstatfs", "fstatvfs",
      ],
      reasons: ["85F4.1", "E174.1", "7D9E.1", "B728.1"]),
    RequiredReason(
      category: "NSPrivacyAccessedAPICategoryActiveKeyboards", names: ["activeInputModes"],
      reasons: ["3EC4.1", "54BD.1"]),
    RequiredReason(
      category: "NSPrivacyAccessedAPICategoryUserDefaults", names: ["UserDefaults"],
      reasons: ["CA92.1", "1C8F.1", "C56D.1", "AC6B.1"]),
  ]

  /// Returns whether a source uses one of the interfaces, other than in comments and texts.
  func isUsed(in source: String) throws -> Bool {
    let skipped = #""(?:\\.|[^"\\\n])*"|//[^\n]*"#
    // Foundation's, since it takes a hundredth of the time of the standard library's in code that is not optimized.
    let pattern = try NSRegularExpression(pattern: "\(skipped)|\\b(\(names.sorted().joined(separator: "|")))\\b")
    let all = NSRange(location: 0, length: source.utf16.count)
    return pattern.matches(in: source, range: all).contains { $0.range(at: 1).location != NSNotFound }
  }
}

/// A privacy manifest, as far as it says why interfaces are used.
struct PrivacyManifest: Decodable {
  let NSPrivacyTracking: Bool
  let NSPrivacyAccessedAPITypes: [Access]

  struct Access: Decodable {
    let NSPrivacyAccessedAPIType: String
    let NSPrivacyAccessedAPITypeReasons: [String]
  }

  /// The manifest of nothing.
  static let empty = PrivacyManifest(NSPrivacyTracking: false, NSPrivacyAccessedAPITypes: [])

  /// Returns what is wrong with the manifest of sources: what it leaves out, and what it says too much.
  func objections(to sources: [String]) throws -> [String] {
    let declared = Dictionary(
      NSPrivacyAccessedAPITypes.map { ($0.NSPrivacyAccessedAPIType, Set($0.NSPrivacyAccessedAPITypeReasons)) },
      uniquingKeysWith: { $0.union($1) })
    let unknown = Set(declared.keys).subtracting(RequiredReason.all.map(\.category)).map { "unknown: \($0)" }
    return unknown.sorted()
      + (try RequiredReason.all.flatMap { required -> [String] in
        let reasons = declared[required.category] ?? []
        switch (try sources.contains(where: required.isUsed), reasons.isEmpty) {
        case (true, true): return ["used and not declared: \(required.category)"]
        case (false, false): return ["declared and not used: \(required.category)"]
        case (true, false), (false, true):
          return reasons.subtracting(required.reasons).sorted().map { "no reason of \(required.category): \($0)" }
        }
      })
  }
}
