import FlagMacroExpansion

/// The compiler plugin, which expands the macros' declarations.
@main
struct Plugin {
  static func main() throws { try CompilerDialog.run() }
}
