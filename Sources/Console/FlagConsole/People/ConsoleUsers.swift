package import FlagDomain

/// The users of a console, for whom reviews show what a change gives them.
package struct ConsoleUsers: Sendable {
  /// The current user; nil for nobody.
  package let current: FlagUser?
  /// The users who were tried besides the current one.
  package let tried: [FlagUser]
  private let context: EvaluationContext

  /// Creates users, who all have the attributes of the program's context.
  package init(current: FlagUser? = nil, tried: [FlagUser] = [], context: EvaluationContext = EvaluationContext()) {
    (self.current, self.context) = (current, context)
    self.tried = tried.filter { $0 != current }
  }

  /// Returns the context of a user.
  package func context(of user: FlagUser?) -> EvaluationContext {
    var context = context
    context.user = user
    return context
  }
}
