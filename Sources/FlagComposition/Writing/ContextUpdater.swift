import FlagDomain

/// An updater of the attributes that do not depend on the user, in the state and in providers that have their own.
struct ContextUpdater: FlagContextUpdating {
  let flags: LiveManager

  var attributes: [String: FlagValue] { flags.state.content.context.attributes }

  func updateAttributes(_ values: [String: FlagValue], removing names: Set<String>) {
    flags.changeContext(.context) { $0.updateAttributes(values, removing: names) }
  }

  func setAnonymousID(_ id: String?) { flags.setAnonymousID(id) }
}
