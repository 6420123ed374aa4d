extension FlagCatalog {
  /// Returns the flags that should be gone from the code by a day: those that expire before it.
  ///
  /// A test of the app that expects none keeps flags from being forgotten.
  public func expired(on today: CalendarDay) -> [Entry] {
    entries.filter { entry in entry.flag.metadata.expires.map { $0 < today } ?? false }
  }
}
