import FlagDomain

/// A writer that changes several providers: all of them, or none.
struct ProviderWriter: FlagWriting {
  let flags: LiveManager
  let registered: RegisteredCatalogs

  var writableProviders: [String] { flags.providers.filter { $0 is any WritableFlagProvider }.map(\.name) }

  func apply(_ edit: FlagEdit, to flag: some FeatureFlag, in names: [String]) throws(FlagError) -> [String] {
    let targets = try writable(for: flag, named: names)
    let key = try flags.state.content.keys.key(of: flag)
    let value: FlagValue? = if case .set(let value) = edit { value } else { nil }
    var undo: [(provider: any WritableFlagProvider, value: FlagValue?)] = []
    do throws(FlagError) {
      for provider in targets {
        let old = try provider.snapshot().answer(for: key, in: EvaluationContext())?.value
        try provider.write([key: value])
        undo.append((provider, old))
      }
    } catch {
      for (provider, old) in undo.reversed() { restore(old, of: key, in: provider, after: value) }
      throw error
    }
    return targets.map(\.name)
  }

  func resetAll(in name: String) throws(FlagError) {
    let keys = flags.state.content.keys
    var values: [FlagKey: FlagValue?] = [:]
    for flag in registered.flags { values[try keys.key(of: flag)] = .some(nil) }
    try writable(name, for: nil).write(values)
  }

  private func writable(
    for flag: some FeatureFlag, named names: [String]
  ) throws(FlagError) -> [any WritableFlagProvider] {
    guard names.isEmpty else {
      var targets: [any WritableFlagProvider] = []
      for name in names where !targets.contains(where: { $0.name == name }) {
        targets.append(try writable(name, for: flag.key))
      }
      return targets
    }
    let targets = flags.providers.compactMap { $0 as? any WritableFlagProvider }
      .filter { flag.metadata.queries($0.name) }
    guard !targets.isEmpty else {
      throw FlagError(.general, "expected a provider that can be written to, found none", key: flag.key)
    }
    return targets
  }

  private func writable(_ name: String, for key: FlagKey?) throws(FlagError) -> any WritableFlagProvider {
    guard let provider = flags.providers.first(where: { $0.name == name }) else {
      throw FlagError(.general, "expected the name of a provider, found \"\(name)\"", key: key)
    }
    guard let writable = provider as? any WritableFlagProvider else {
      throw FlagError(.general, "the provider cannot be written to", key: key, provider: name)
    }
    return writable
  }

  private func restore(
    _ value: FlagValue?, of key: FlagKey, in provider: any WritableFlagProvider, after written: FlagValue?
  ) {
    do throws(FlagError) {
      // Some providers refuse to replace an object by anything but another object.
      if case .object = written { try provider.write([key: nil]) }
      try provider.write([key: value])
    } catch {
      flags.report([error])
    }
  }
}
