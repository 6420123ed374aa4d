public import FlagDomain
import FlagJSON

/// The flags that code declares, as tools read them that do not have the code.
///
/// Its text is a manifest of the OpenFeature CLI, with members beside those that the CLI knows.
public struct FlagManifest: Hashable, Sendable {
  /// A flag that code declares.
  public struct Entry: Hashable, Sendable {
    /// The flag's key.
    public let key: String
    /// What the flag's values look like.
    public let kind: FlagDataType.Kind
    /// Whether null is a value of the flag.
    public let isOptional: Bool
    /// Every value that the flag can have, where its type lists its cases; else none.
    public let choices: [FlagValue]
    /// The default in the code.
    public let defaultValue: FlagValue
    /// What the flag does; empty where nobody says.
    public let description: String
    /// Who is responsible for the flag, or nil.
    public let owner: String?
    /// The last day on which the flag should be in the code, or nil.
    public let expires: CalendarDay?
  }

  /// The flags in the order of their keys.
  public let entries: [Entry]

  init(_ entries: [Entry]) { self.entries = entries.sorted { $0.key < $1.key } }
}

extension FlagManifest {
  /// Describes the flags of catalogs.
  ///
  /// - Throws: An error where two flags have one key, or where a case of a flag's type cannot be encoded.
  public init(of catalogs: [FlagCatalog]) throws(FlagError) {
    do throws(DuplicateFlagKeys) { try DuplicateFlagKeys.check(catalogs) } catch {
      throw FlagError(.general, "\(error)")
    }
    var entries: [Entry] = []
    for flag in catalogs.flatMap(\.flags) { entries.append(try Entry(flag)) }
    self.init(entries)
  }
}

extension FlagManifest.Entry {
  fileprivate init(_ flag: some FeatureFlag) throws(FlagError) {
    let type = flag.dataType
    self.init(
      key: "\(flag.key)", kind: type.kind, isOptional: type.isOptional, choices: try flag.choices,
      defaultValue: FlagValue(describing: flag.defaultValue), description: flag.metadata.description,
      owner: flag.metadata.owner, expires: flag.metadata.expires)
  }
}

extension FlagCatalog {
  /// Returns what tools are told of the flags of catalogs: JSON, which `flagctl check --catalog` reads.
  ///
  /// ```swift
  /// try FlagCatalog.manifest(of: [SettingsFlags.catalog]).write(toFile: path, atomically: true, encoding: .utf8)
  /// ```
  ///
  /// It is a manifest of the OpenFeature CLI as well, which makes code of it for other languages.
  ///
  /// - Parameter catalogs: The catalogs that the program hands to its client.
  /// - Returns: The manifest, in lines.
  /// - Throws: An error where two flags have one key, or where JSON has no form for a default, as for infinity.
  public static func manifest(of catalogs: [FlagCatalog]) throws(FlagError) -> String {
    try FlagManifest(of: catalogs).json.jsonString(.indented)
  }
}
