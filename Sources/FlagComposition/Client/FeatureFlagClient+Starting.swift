import FlagDomain

extension FlagState.Content {
  /// Returns the initial content, before overrides and providers, and the error if there is no anonymous id.
  static func starting(
    with configuration: FeatureFlagClient.Configuration, flags: [any FeatureFlag]
  ) throws(FeatureFlagClientError) -> (content: Self, problem: FlagError?) {
    let attributes = configuration.attributes.mapValues(\.attributeValue)
    var content = Self(context: EvaluationContext(attributes: attributes), sources: [])
    content.launch = configuration.launch.map { FlagState.Source($0) }
    content.overriding = configuration.overriding
    content.requirements = Requirements(of: flags)
    if let error = content.requirements.errors.first { throw error }
    if let keys = configuration.keys { content.keys = try ProviderKeys(keys, for: flags) }
    let problem = content.identifyVisitors(by: configuration.anonymousIDs)
    return (content, problem)
  }

  /// Loads overrides, and returns the error if they cannot be read.
  mutating func load(from store: (any FlagOverrideStore)?) -> FlagError? {
    do throws(FlagError) {
      let stored = try store?.load() ?? [:]
      overrides = Overrides(stored: stored, atStart: stored)
      return nil
    } catch {
      return error
    }
  }

  /// Sets the anonymous id, and returns the error if it cannot be read or stored.
  private mutating func identifyVisitors(by ids: AnonymousIDs?) -> FlagError? {
    do throws(FlagError) {
      context.anonymousID = try ids?.id()
      return nil
    } catch {
      return error
    }
  }
}

extension FeatureFlagClient {
  /// Reports launch values and stored overrides that are invalid for their flags or belong to no flag.
  ///
  /// Overrides that code sets are rejected instead.
  func checkOverrides(of flags: [any FeatureFlag]) {
    for catalog in catalogs where catalog.flags.isEmpty {
      current.report([FlagError(.flagNotFound, "expected a catalog with flags, found none in \"\(catalog.name)\"")])
    }
    guard !flags.isEmpty else { return }
    let state = current.state
    for flag in flags { state.checkOverrides(of: flag) }
    let keys = Set(flags.map(\.key))
    let listed = flags.map(\.key)
    for (source, keys) in state.content.launch.map({ ($0, listed) })
      + state.content.sources.map({ ($0, listed.map(state.content.keys.listed)) })
    {
      guard let provider = source.provider as? any FixedFlagProvider else { continue }
      current.report(provider.unknownEntries(besides: keys))
    }
    for key in state.content.overrides.stored.keys.sorted() where !keys.contains(key) {
      current.report([
        FlagError(.flagNotFound, "expected the key of a flag of the catalogs", key: key, provider: .overrides)
      ])
    }
  }
}

extension LiveManager {
  /// Publishes that flags were added or removed, and reports what is wrong with them.
  func catalogsChanged(_ keys: Set<FlagKey>, _ flags: [any FeatureFlag], revision: Int) {
    let requirements = Requirements(of: flags, revision: revision)
    var errors = requirements.errors
    do throws(FeatureFlagClientError) {
      try FeatureFlagClientError.checkProviders(of: flags.filter { keys.contains($0.key) }, among: providers)
    } catch {
      errors.append(error)
    }
    report(errors.map { FlagError(.general, "\($0)") })
    change { content in
      // Of two changes at once, the later one counts.
      if content.requirements.revision < revision { content.requirements = requirements }
      return FlagChange(keys: ChangedKeys(keys), causes: [.catalogs])
    }
  }
}
