import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagReview

/// A variant as a command line names it, `NAME=VALUE`, whose value is read once the type is known.
struct VariantText {
  let name: String
  let text: String

  /// Returns the variant; the value is true or false, a number, a text, or JSON, as the type is.
  func variant(_ kind: VariantKind) throws(ToolError) -> FlagVariant {
    do throws(FlagError) {
      return FlagVariant(name, try FlagControl(kind).value(of: text))
    } catch {
      throw .data("the variant \(name.excerpt): \(error.message)")
    }
  }
}

extension OptionValue<VariantText> {
  static var variant: Self {
    Self("NAME=VALUE", "is a variant such as blue=2") { text in
      Pair(text).map { VariantText(name: $0.first, text: $0.second) }
    }
  }
}

/// Two words of a command line with a sign between them.
struct Pair {
  let first: String
  let second: String

  init?(_ text: String) {
    guard let sign = text.firstIndex(of: "="), sign > text.startIndex else { return nil }
    (first, second) = (String(text[..<sign]), String(text[text.index(after: sign)...]))
  }
}

extension OptionValue<Pair> {
  static var names: Self { Self("OLD=NEW", "is a name and a new one, such as blue=navy") { Pair($0) } }
}
