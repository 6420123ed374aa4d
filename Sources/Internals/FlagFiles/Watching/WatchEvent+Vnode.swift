extension WatchEvent {
  /// The flags of events of kqueue, `NOTE_` and the name in its manual page (kqueue(2), EVFILT_VNODE).
  struct VnodeFlags: OptionSet {
    let rawValue: UInt32

    static let delete = Self(rawValue: 0x1)
    static let write = Self(rawValue: 0x2)
    static let extend = Self(rawValue: 0x4)
    static let attributes = Self(rawValue: 0x8)
    static let link = Self(rawValue: 0x10)
    static let rename = Self(rawValue: 0x20)
    static let revoke = Self(rawValue: 0x40)
  }

  /// Creates the event for flags of kqueue, which neither names the changed entry of a directory nor reports that a
  /// writer has closed a file.
  init(vnode flags: UInt32, of number: Int32, isDirectory: Bool) {
    let flags = VnodeFlags(rawValue: flags)
    let kind: Kind =
      if !flags.isDisjoint(with: [.delete, .rename, .revoke]) {
        .changed
      } else if isDirectory {
        flags.isDisjoint(with: [.write, .extend, .link]) ? .changed : .unnamed
      } else {
        flags.isDisjoint(with: [.write, .extend]) ? .changed : .modified
      }
    self.init(kind: kind, number: number, name: "")
  }
}
