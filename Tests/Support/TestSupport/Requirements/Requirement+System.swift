import Foundation

extension Requirement {
  package static let fullDevice = Requirement("full-device", "this system has no /dev/full") {
    FileManager.default.fileExists(atPath: "/dev/full")
  }
  package static let ordinaryUser = Requirement(
    "ordinary-user", "root may read everything: run the tests as another user"
  ) { geteuid() != 0 }
  package static let mounting = Requirement(
    "mounting", "this process may not mount a file system: run the tests as root, outside a container"
  ) { canMount }

  package static let plainMemory = Requirement(
    "plain-memory", "a sanitizer keeps memory of its own beside the program's"
  ) { dlsym(nil, "__tsan_init") == nil && dlsym(nil, "__asan_init") == nil }

  package static let thoroughRun = Requirement(
    "thorough-run", "takes seconds: runs with FLAGS_THOROUGH=1, as in .ci/run"
  ) { Effort.isThorough }
  package static let longRun = Requirement(
    "long-run", "takes minutes: runs with FLAGS_LONG=1"
  ) { Effort.isLong }

  #if os(Linux)
    private static let canMount: Bool = {
      let folder = FileManager.default.temporaryDirectory.appending(path: "mount-\(UUID().uuidString)").path
      guard geteuid() == 0, mkdir(folder, 0o700) == 0 else { return false }
      defer { rmdir(folder) }
      guard mount("none", folder, "tmpfs", 0, "size=64k") == 0 else { return false }
      return umount(folder) == 0
    }()
  #else
    private static let canMount = false
  #endif
}
