#if canImport(Darwin)
  import FlagSupport

  extension FileSystemCalls {
    /// The system's calls.
    ///
    /// `fsync` leaves data in the cache of the drive, so the full sync comes first (fsync(2)). The protection class is
    /// not an extended attribute; the exclusion from backups is one.
    static let current = FileSystemCalls(
      flushes: [{ fcntl($0, F_FULLFSYNC) }, { fsync($0) }],
      copyAttributes: { old, new in
        let protection = fcntl(old, F_GETPROTECTIONCLASS)
        if protection > 0, fcntl(new, F_SETPROTECTIONCLASS, protection) == -1 { return -1 }
        return fcopyfile(old, new, nil, copyfile_flags_t(COPYFILE_XATTR | COPYFILE_ACL))
      })
  }
#else
  import FlagSupport

  extension FileSystemCalls {
    /// The system's calls; extended attributes and access control lists are not kept.
    static let current = FileSystemCalls(flushes: [{ fsync($0) }], copyAttributes: { _, _ in 0 })
  }
#endif
