/// The system's calls that take a path: the place where paths become strings of C.
///
/// C copies none of them, and reads each only during the call. It ends a path at a NUL.
package enum SystemPath {
  /// Opens a file, which programs that this one starts do not inherit, and returns its descriptor; -1 is a failure.
  package static func descriptor(of path: String, _ flags: Int32, mode: mode_t = 0) -> Int32 {
    unsafe open(path, flags | O_CLOEXEC, mode)
  }

  /// Removes a name; -1 is a failure.
  @discardableResult
  package static func remove(_ path: String) -> Int32 { unsafe unlink(path) }

  /// Gives a file another name, and replaces the one that has it; -1 is a failure.
  package static func move(_ path: String, to new: String) -> Int32 { unsafe rename(path, new) }

  /// Returns the absolute path without links, or nil for a failure.
  package static func resolved(_ path: String) -> [UInt8]? {
    guard let text = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(text) }
    return unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }

  /// Returns the names in a folder, with those of itself and of its parent, or nil for a failure.
  package static func names(in path: String) -> [String]? {
    guard let folder = unsafe opendir(path) else { return nil }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    // An entry is valid until the next one is read, and its name ends with a NUL within it.
    while let entry = unsafe readdir(folder) {
      unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe names.append(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
      }
    }
    return names
  }
}
