#if canImport(SwiftUI)
  import NewsReader
  import SwiftUI

  extension NewsApp {
    @MainActor static func openWindow() { NewsWindow.main() }
  }
#else
  extension NewsApp {
    static func openWindow() { fail("a window needs SwiftUI, which this system does not have") }
  }
#endif
