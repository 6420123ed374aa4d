import FlagDefinitions
import FlagGrowthBook
import FlagLaunchDarkly

/// The format of documents: options that commands share.
struct FormatOptions: OptionGroup {
  /// A format, as command lines name it.
  enum Name: String, CaseIterable, Sendable {
    case inHouse = "in-house"
    case growthBook = "growthbook"
    case launchDarkly = "launchdarkly"
  }

  private(set) var name = Name.inHouse
  private var namedBucketing: Bucketing?

  static var options: [Option<Self>] {
    [Option<Self>.format(\.name), Option("--bucketing", .choice(), Option<Self>.bucketingWords, \.namedBucketing)]
      .shared(.document)
  }

  var bucketing: Bucketing { namedBucketing ?? .v3 }

  var format: any DefinitionFormat { name == .inHouse ? .inHouse(bucketing: bucketing) : name.format }

  /// Validates the options for a number of documents.
  func check(documents: Int = 1) throws(UsageError) {
    guard name != .inHouse else { return }
    if let namedBucketing {
      throw UsageError(
        "--bucketing \(namedBucketing.rawValue) is for the in-house format, found --format \(name.rawValue)")
    }
    if documents > 1 { throw UsageError("--format \(name.rawValue) takes one document, found \(documents)") }
  }

  /// Validates the options for sets in etcd, which hold in-house documents.
  func checkSets() throws(UsageError) {
    if name != .inHouse { throw UsageError("--format \(name.rawValue) is for files, found sets in etcd") }
  }
}

extension FormatOptions.Name {
  /// The format with its usual settings.
  var format: any DefinitionFormat {
    switch self {
    case .inHouse: .inHouse
    case .growthBook: .growthBook
    case .launchDarkly: .launchDarkly
    }
  }
}

extension Option {
  fileprivate static var bucketingWords: String { "how users are assigned to shares (default: v3)" }

  /// The option of a command for documents in the in-house format alone.
  static func bucketing(_ property: Property<Bucketing>) -> Self {
    Self("--bucketing", .choice(), bucketingWords, property)
  }

  /// The option that names the format of documents.
  static func format(_ property: Property<FormatOptions.Name>) -> Self {
    Self("--format", .choice(), "the format of the documents (default: in-house)", property)
  }
}
