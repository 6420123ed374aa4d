package import FlagDefinitions
import FlagDomain
package import FlagEditing
import FlagPublishing

extension ConsoleModel {
  /// Returns the attributes, values and shared conditions that forms for rules suggest.
  ///
  /// They are of the document's rules, of the console's own users and of its test users. A version of the document is
  /// searched once, as long as the test users are the same.
  ///
  /// - Parameter stored: The document.
  /// - Returns: The suggestions.
  package func suggestions(for stored: StoredDefinitions) -> RuleSuggestions {
    let console = origin ?? self
    let kept = testUsers
    if let known = console.state.withLock({ $0.suggestions }), known.version == stored.version, known.testUsers == kept
    {
      return known.suggestions
    }
    let signedIn = options.testUsers.map { EvaluationContext(user: $0).values }
    let users = kept.map(\.attributes) + signedIn + options.ownUsers.prefix(Self.maximumUsers)
    let suggestions = RuleSuggestions(text: stored.text, users: users)
    console.state.withLock { $0.suggestions = (stored.version, kept, suggestions) }
    return suggestions
  }

  /// The maximum number of own users whose attributes are looked at.
  private static let maximumUsers = 1000
}
