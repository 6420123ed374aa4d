public import FlagDomain
import FlagJSON

/// The flags that code declares, for tools that do not have the code.
///
/// Its text is a manifest of the OpenFeature CLI, with additional members.
public struct FlagManifest: Hashable, Sendable {
  /// A flag that code declares.
  package struct Entry: Hashable, Sendable {
    /// The flag's key.
    package let key: String
    /// The kind of the flag's values.
    package let kind: FlagDataType.Kind
    /// Whether null is a value of the flag.
    package let isOptional: Bool
    /// Every value that the flag can have, if its type lists its cases; else empty.
    package let choices: [FlagValue]
    /// The default in the code.
    package let defaultValue: FlagValue
    /// The description of the flag; empty if there is no description.
    package let description: String
    /// The person or team responsible for the flag, or nil.
    package let owner: String?
    /// The last day on which the flag should be in the code, or nil.
    package let expires: CalendarDay?
  }

  /// The flags in the order of their keys.
  package let entries: [Entry]

  init(_ entries: [Entry]) { self.entries = entries.sorted { $0.key < $1.key } }

  /// Creates a manifest of the flags of catalogs.
  ///
  /// - Throws: An error if two flags have the same key, or a case of a flag's type cannot be encoded.
  public init(of catalogs: [FlagCatalog]) throws(FlagError) {
    do throws(DuplicateFlagKeys) { try DuplicateFlagKeys.check(catalogs) } catch {
      throw FlagError(.general, "\(error)")
    }
    var entries: [Entry] = []
    for flag in catalogs.flatMap(\.flags) { entries.append(try Entry(flag)) }
    self.init(entries)
  }

  /// Creates a manifest of the flags of several; a flag that is the same in some of them is there once.
  ///
  /// - Throws: An error if manifests declare a flag differently.
  package init(merging manifests: [FlagManifest]) throws(FlagError) {
    var entries: [String: Entry] = [:]
    for entry in manifests.flatMap(\.entries) {
      if let other = entries[entry.key], other != entry {
        throw FlagError(.general, "expected one declaration of \(entry.key.excerpt), found two that differ")
      }
      entries[entry.key] = entry
    }
    self.init(Array(entries.values))
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
  /// Returns the manifest of the flags of catalogs: JSON for tools such as `flagctl check --catalog`.
  ///
  /// ```swift
  /// try FlagCatalog.manifest(of: [SettingsFlags.catalog]).write(toFile: path, atomically: true, encoding: .utf8)
  /// ```
  ///
  /// It is also a manifest of the OpenFeature CLI, which generates code for other languages from it.
  ///
  /// - Parameter catalogs: The catalogs that the program passes to its client.
  /// - Returns: The manifest as indented JSON.
  /// - Throws: An error if two flags have the same key, or JSON cannot represent a default, such as infinity.
  public static func manifest(of catalogs: [FlagCatalog]) throws(FlagError) -> String {
    try FlagManifest(of: catalogs).json.jsonString(.indented)
  }
}
