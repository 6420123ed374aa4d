#if !SWIFT_PACKAGE
  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// The files of `Assets`, of which SwiftPM generates this type; what builds without it has to embed them itself.
  enum PackageResources {
    static let console_css: [UInt8] = []
    static let console_js: [UInt8] = []
  }
#endif
