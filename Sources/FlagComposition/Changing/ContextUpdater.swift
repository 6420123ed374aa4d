import FlagDomain

/// An updater of the attributes that do not depend on the user.
struct ContextUpdater: Sendable {
  private let flags: LiveManager

  init(_ flags: LiveManager) { self.flags = flags }
}

extension ContextUpdater: FlagContextUpdating {
  var attributes: [String: FlagValue] { flags.state.content.context.attributes }

  func updateAttributes(_ values: [String: FlagValue], removing names: Set<String>) {
    change { $0.updateAttributes(values, removing: names) }
  }

  func setAnonymousID(_ id: String?) { change { $0.anonymousID = id } }

  private func change(_ edit: (inout EvaluationContext) -> Void) {
    flags.change { content in
      let last = content.context
      edit(&content.context)
      return content.context == last ? nil : FlagChange(keys: .all, causes: [.context])
    }
  }
}
