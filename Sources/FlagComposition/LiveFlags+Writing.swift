internal import FlagDomain

extension LiveFlags: FlagWriting {
  var writableProviders: [String] { providers.filter { $0 is any WritableFlagProvider }.map(\.name) }

  func write(_ value: FlagValue?, for flag: some FeatureFlag, to name: String?) throws(FlagError) -> [String] {
    let targets = try writable(for: flag, named: name)
    let key = current.providerKey(of: flag)
    var undo: [(provider: any WritableFlagProvider, value: FlagValue?)] = []
    do throws(FlagError) {
      for provider in targets {
        let old = try provider.snapshot().answer(for: key, in: EvaluationContext())?.value
        try provider.write([key: value])
        undo.append((provider, old))
      }
    } catch {
      for (provider, old) in undo.reversed() { restore(old, of: key, in: provider) }
      throw error
    }
    return targets.map(\.name)
  }

  private func writable(
    for flag: some FeatureFlag, named name: String?
  ) throws(FlagError) -> [any WritableFlagProvider] {
    guard let name else {
      return providers.compactMap { $0 as? any WritableFlagProvider }
        .filter { !flag.metadata.excludedProviders.contains($0.name) }
    }
    guard let provider = providers.first(where: { $0.name == name }) else {
      throw FlagError(.general, "expected the name of a provider, found \"\(name)\"", key: flag.key)
    }
    guard let writable = provider as? any WritableFlagProvider else {
      throw FlagError(.general, "the provider cannot be written to", key: flag.key, provider: name)
    }
    return [writable]
  }

  private func restore(_ value: FlagValue?, of key: FlagKey, in provider: any WritableFlagProvider) {
    do throws(FlagError) {
      try provider.write([key: value])
    } catch {
      report([error])
    }
  }
}
