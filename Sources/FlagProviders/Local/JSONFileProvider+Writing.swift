public import FlagDomain
import Foundation

extension JSONFileProvider: WritableFlagProvider {
  /// Sets and removes values in the file, which is replaced as a whole, and then here.
  ///
  /// What others have written to the file stays. A value goes where the key finds one: into the field at the top
  /// that has the key's name, or else along the key's path; records on the way are made.
  ///
  /// - Throws: A `FlagError` when the file cannot be read or written, or a key leads through something that is
  ///   no record or list.
  public func write(_ values: [FlagKey: FlagValue?]) throws(FlagError) {
    try live.update { content throws(FlagError) in
      var tree = try ValueTree(contentsOf: file)
      for (key, value) in values.sorted(by: { $0.key < $1.key }) { try tree.set(value, for: key) }
      try tree.write(to: file)
      content = FileContent(tree: tree, number: nextReading())
    }
  }
}

extension ValueTree {
  fileprivate mutating func set(_ value: FlagValue?, for key: FlagKey) throws(FlagError) {
    let field = ValuePath([key.name])
    do throws(FlagError) {
      root = try root.setting(value, at: root[field] == nil ? ValuePath(key.name) : field)
    } catch {
      throw FlagError(error.code, error.message, key: key)
    }
  }

  fileprivate func write(to file: URL) throws(FlagError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      try encoder.encode(root).write(to: file, options: .atomic)
    } catch {
      throw FlagError(.general, "\(file.path): expected a file that can be written: \(error)")
    }
  }
}
