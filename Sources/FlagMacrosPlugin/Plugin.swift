import FlagMacroExpansion

/// The compiler's partner: it reads declarations and writes what they expand to.
@main
struct Plugin {
  static func main() throws { try CompilerDialog.run() }
}
