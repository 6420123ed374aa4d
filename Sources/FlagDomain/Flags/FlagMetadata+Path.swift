extension FlagMetadata {
  /// Returns the metadata with the names that make the key, and a title where it gives no name for people.
  func placed(at path: [String], titled title: String) -> FlagMetadata {
    FlagMetadata(
      description, displayName: displayName ?? title, requiresRestart: requiresRestart, isInternal: isInternal,
      isLocked: isLocked, order: order, owner: owner, expires: expires, excludedProviders: excludedProviders,
      path: path)
  }
}
