public import FlagDomain
public import Foundation

/// Keeps overrides in a JSON file: an object of keys and values, a line each.
///
/// Each write replaces the file in one step. A program that is killed meanwhile leaves the old file or the new one,
/// whole. A file that cannot be read is moved aside before the first write, and so not lost.
public final class FileOverrideStore: Sendable {
  private let file: URL
  private let state = Locked(State())

  fileprivate struct State {
    /// What the file holds; nil until it was read.
    var stored: [String: FlagValue]?
  }

  /// Creates a store over a file, which is made by the first write.
  public init(_ file: URL) { self.file = file }
}

extension FileOverrideStore: FlagOverrideStore {
  /// Returns every stored override; a file that does not exist holds none.
  public func load() throws(FlagError) -> [FlagKey: FlagValue] {
    try state.withLock { state throws(FlagError) in
      if let error = state.open(contents) { throw error }
      let keyed = (state.stored ?? [:]).compactMap { name, value in FlagKey(name).map { ($0, value) } }
      return Dictionary(keyed) { first, _ in first }
    }
  }

  /// Stores overrides, and deletes those whose value is nil, by replacing the file.
  public func write(_ values: [FlagKey: FlagValue?]) throws(FlagError) {
    try state.withLock { state throws(FlagError) in
      let isBroken = state.open(contents) != nil
      var stored = state.stored ?? [:]
      try checkNumbers(in: values)
      for (key, value) in values { stored[key.name] = value }
      if isBroken { try moveAside() }
      try replace(with: stored)
      state.stored = stored
    }
  }
}

extension FileOverrideStore.State {
  /// Reads the file, unless that was done, and returns what is wrong with it.
  fileprivate mutating func open(_ contents: () throws(FlagError) -> [String: FlagValue]) -> FlagError? {
    guard stored == nil else { return nil }
    do throws(FlagError) {
      stored = try contents()
      return nil
    } catch {
      return error
    }
  }
}

extension FileOverrideStore {
  private func contents() throws(FlagError) -> [String: FlagValue] {
    guard FileManager.default.fileExists(atPath: file.path) else { return [:] }
    let value = try FlagValue(json: attempt("read") { try Data(contentsOf: file) })
    guard case .object(let fields) = value else {
      throw FlagError(.parseError, "\(file.path): expected an object of keys and values, found \(value.typeName)")
    }
    return fields
  }

  private func replace(with stored: [String: FlagValue]) throws(FlagError) {
    let lines = stored.sorted { $0.key < $1.key }.map { "  \(FlagValue.string($0.key)): \($0.value)" }
    let text = lines.isEmpty ? "{}\n" : "{\n\(lines.joined(separator: ",\n"))\n}\n"
    try attempt("write") { try Data(text.utf8).write(to: file, options: .atomic) }
  }

  private func moveAside() throws(FlagError) {
    let aside = file.appendingPathExtension("unreadable")
    try attempt("move") {
      if FileManager.default.fileExists(atPath: aside.path) { try FileManager.default.removeItem(at: aside) }
      try FileManager.default.moveItem(at: file, to: aside)
    }
  }

  private func attempt<Result>(_ verb: String, _ work: () throws -> Result) throws(FlagError) -> Result {
    do {
      return try work()
    } catch {
      throw FlagError(.general, "cannot \(verb) \(file.path): \(error.localizedDescription)")
    }
  }
}
